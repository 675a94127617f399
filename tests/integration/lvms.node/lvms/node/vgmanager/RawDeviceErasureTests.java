package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.MergePatch;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;

/** What a volume left on its device is gone before another volume gets the device. */
@Lasts(seconds = 90)
@OursAlone("what is erased is the disk, and that takes long")
class RawDeviceErasureTests extends RawDeviceCase {
    @BeforeEach
    void doNotWait() {
        rate = 4 * GIB;
    }

    /** A volume has the device, writes to it, and gives it back. */
    private void use(Path device) throws Exception {
        awaitFree(device);
        want(device, "pvc-1");
        until(() -> object(device).allocated());
        for (long offset : new long[] {0, GIB / 2, GIB + 4096, 2 * GIB - 4096}) {
            put(device, offset);
        }
        release(device);
    }

    @Safety(41)
    @Test
    void theNextVolumeFindsZeros() throws Exception {
        rate = GIB / 4; // so that there is time to see it
        var disk = disks.add(2 * GIB);
        start();
        use(disk);
        until(() -> object(disk).toBeErased());
        assertFalse(object(disk).free());
        awaitFree(disk);
        for (long offset : new long[] {0, GIB / 2, GIB + 4096, 2 * GIB - 4096}) {
            assertFalse(isAt(disk, offset), "offset " + offset);
        }
        var left = object(disk).object().annotations().keySet();
        assertEquals(Set.of(RawDevice.IDENTITY), left);
    }

    @Safety(41)
    @Test
    void meanwhileNoOtherVolumeGetsTheDevice() throws Exception {
        rate = GIB / 4;
        var disk = disks.add(2 * GIB);
        start();
        use(disk);
        want(disk, "pvc-2");
        until(() -> object(disk).refusal().isPresent());
        assertFalse(object(disk).allocated(), object(disk).refusal()::toString);
    }

    @Safety(41)
    @Test
    void aDeviceThatNativestorGaveAwayIsErasedAsWell() throws Exception {
        var disk = disks.add(2 * GIB);
        var spec = new RawDevice.Spec(NODE, 2 * GIB, "loop", disk.toString(), 7, 0, "x", true, "");
        var id = RawDevice.nameOf(NODE, disk.toString());
        write(kube.create(RawDevice.TYPE, RawDevice.create(id, spec, Map.of())), id);
        put(disk, GIB + 4096);
        start();
        until(() -> object(disk).used() && !object(disk).identity().isEmpty());
        assertTrue(object(disk).allocated());
        write(object(disk).object(), "");
        awaitFree(disk);
        assertFalse(isAt(disk, GIB + 4096));
    }

    @Test
    void aDeviceThatAProgramHasOpenIsErasedWhenItIsClosed() throws Exception {
        var disk = disks.add(2 * GIB);
        start();
        awaitFree(disk);
        want(disk, "pvc-1");
        until(() -> object(disk).allocated());
        try (var _ = FileChannel.open(disk, StandardOpenOption.WRITE)) {
            put(disk, GIB + 4096);
            release(disk);
            until(() -> object(disk).erasureFailure().isPresent());
            var failure = object(disk).erasureFailure().get();
            assertTrue(failure.startsWith("is open for writing in java"), failure);
            assertTrue(isAt(disk, GIB + 4096));
        }
        wake(disk);
        awaitFree(disk);
        assertFalse(isAt(disk, GIB + 4096));
    }

    /** Whoever put it there believed that nobody has the disk. */
    @Safety(51)
    @Test
    void whatWasNotThereWhenAVolumeGaveItBackIsErasedOnlyIfAPersonSaysSo() throws Exception {
        var disk = disks.add(2 * GIB);
        start();
        awaitFree(disk);
        want(disk, "pvc-1");
        until(() -> object(disk).allocated());
        assertTrue(object(disk).tenancy().isPresent());
        try (var _ = FileChannel.open(disk, StandardOpenOption.WRITE)) { // it is not erased now
            release(disk);
            until(() -> object(disk).object().annotation(RawDevice.LEFT).isPresent());
            put(disk, 4096);
        }
        wake(disk);
        until(() -> failure(disk).startsWith("its first MiB is not what the volume left there"));
        assertTrue(isAt(disk, 4096));
        var hint = failure(disk);
        var told = hint.substring(hint.indexOf('\'') + 1, hint.lastIndexOf('\''));
        kube.mergePatch(
                RawDevice.TYPE,
                MergePatch.of(object(disk).object()).annotation(RawDevice.CONFIRMED, told));
        awaitFree(disk);
        assertFalse(isAt(disk, 4096));
        var left = object(disk).object().annotations().keySet();
        assertEquals(Set.of(RawDevice.IDENTITY), left);
    }

    private String failure(Path disk) throws Exception {
        return object(disk).erasureFailure().orElse("");
    }

    @Test
    void theNextProcessGoesOnWhereThisOneEnded() throws Exception {
        rate = GIB / 4; // so that there is time to end it
        var disk = disks.add(3 * GIB);
        start();
        use(disk);
        until(
                () -> {
                    wake(disk);
                    return object(disk).erasedBytes() >= GIB || object(disk).free();
                });
        assertFalse(object(disk).free(), "it was over before it could be ended");
        stop();
        put(disk, GIB / 2);
        start();
        awaitFree(disk);
        assertTrue(isAt(disk, GIB / 2), "the first GiB was erased twice");
        assertFalse(isAt(disk, GIB + 4096));
    }
}
