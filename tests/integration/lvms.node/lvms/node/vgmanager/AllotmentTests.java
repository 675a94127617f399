package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.MergePatch;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A node gives a disk to a volume or to a volume group, never to both. */
@Lasts(seconds = 20)
class AllotmentTests extends RawDeviceCase {
    /** Where LVM and a wipe would write. */
    private static String start(Path device) throws Exception {
        return LoopDisks.run("sh", "-c", "head -c 8M " + device + " | sha256sum");
    }

    private boolean allocated(Path device) throws Exception {
        return found(device).filter(RawDevice::allocated).isPresent();
    }

    @Test
    void whoWantsAFreeDeviceGetsIt() throws Exception {
        var disk = disks.add(3 * GIB);
        start();
        awaitFree(disk);
        want(disk, "pvc-1");
        until(() -> allocated(disk));
        var object = object(disk);
        assertEquals(object.name(), object.volumeId());
        until(
                () ->
                        object(disk)
                                .spec()
                                .reason()
                                .contains("raw device " + object.name() + " of volume pvc-1"));
    }

    @Test
    void whoWantsAnotherIsToldWhy() throws Exception {
        var small = disks.add(GIB);
        start();
        until(() -> found(small).isPresent());
        want(small, "pvc-1");
        until(() -> object(small).refusal().isPresent());
        assertEquals(Optional.of("size less than 2G"), object(small).refusal());
        assertFalse(allocated(small));
    }

    @Test
    void aDiskThatIsWrittenToMeanwhileIsNotGivenAway() throws Exception {
        var disk = disks.add(3 * GIB);
        start();
        awaitFree(disk);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        want(disk, "pvc-1");
        until(() -> object(disk).refusal().isPresent());
        assertFalse(allocated(disk));
    }

    @Safety(41)
    @Test
    void aClassThatTakesEveryDiskLeavesTheOneThatAVolumeHas() throws Exception {
        var raw = disks.add(3 * GIB);
        var free = disks.add(3 * GIB);
        start();
        awaitFree(raw);
        want(raw, "pvc-1");
        until(() -> allocated(raw));
        var before = start(raw);
        group(name, "{}");
        await(name, VolumeGroupState.READY);
        assertEquals(List.of(free.toString()), entry(name).orElseThrow().devices());
        assertTrue(excluded("raw device"));
        assertEquals(before, start(raw));
        stop(); // a new process knows nothing yet
        start();
        lookAgain(name);
        await(name, VolumeGroupState.READY);
        assertEquals(List.of(free.toString()), entry(name).orElseThrow().devices());
    }

    @Safety(41)
    @Test
    void aClassThatNamesItDoesNotGetItEither() throws Exception {
        var raw = disks.add(3 * GIB);
        start();
        awaitFree(raw);
        want(raw, "pvc-1");
        until(() -> allocated(raw));
        var before = start(raw);
        group(
                name,
                "{\"deviceSelector\":{\"paths\":[\"%s\"],\"forceWipeDevicesAndDestroyAllData\":true}}"
                        .formatted(raw));
        until(() -> entry(name).isPresent() && excluded("raw device"));
        assertEquals(before, start(raw));
        assertTrue(lvm.groups().report(name).isEmpty());
    }

    @Safety(41)
    @Test
    void ofAVolumeAndAGroupThatWantADiskAtOnceOneGetsIt() throws Exception {
        for (int round = 0; round < 4; round++) {
            disks.add(3 * GIB);
        }
        start();
        for (int round = 0; round < 4; round++) {
            var disk = disks.all().get(round);
            awaitFree(disk);
            var groupName = name + "-" + round;
            var wish = object(disk);
            var asking =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            kube.mergePatch(
                                                    RawDevice.TYPE,
                                                    MergePatch.of(wish.object())
                                                            .annotation(RawDevice.VOLUME, "pvc"));
                                        } catch (Exception e) {
                                            throw new AssertionError(e);
                                        }
                                    });
            group(groupName, selecting(disk));
            asking.join();
            until(() -> allocated(disk) || object(disk).refusal().isPresent());
            until(
                    () ->
                            entry(groupName)
                                    .filter(e -> !e.is(VolumeGroupState.PROGRESSING))
                                    .isPresent());
            boolean taken = lvm.groups().report(groupName).isPresent();
            assertEquals(taken, !allocated(disk), "round " + round);
        }
    }
}
