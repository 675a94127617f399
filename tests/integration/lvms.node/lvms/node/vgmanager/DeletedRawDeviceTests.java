package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Whoever deletes the RawDevice of a volume, where no policy refuses that, makes nothing of the
 * disk free: the object is there again with its volume, and nobody else gets the disk meanwhile.
 */
@Lasts(seconds = 60)
@OursAlone("what is erased is the disk, and that takes long")
class DeletedRawDeviceTests extends RawDeviceCase {
    /** Where nobody looks who looks for a blank disk. */
    private static final long MIDDLE = GIB + 4096;

    private static final String NOBODYS_PATH = "/dev/loop-that-is-not-there";

    private final List<RawDevice> offered = new CopyOnWriteArrayList<>();
    private Informer offers;

    @BeforeEach
    void doNotWait() {
        rate = 4 * GIB;
    }

    @AfterEach
    void close() {
        if (offers != null) {
            offers.close();
        }
    }

    /** A volume has a new disk, and has written where a look at a blank disk does not see it. */
    private Path used(String volume) throws Exception {
        var disk = disks.add(2 * GIB);
        start();
        awaitFree(disk);
        want(disk, volume);
        until(() -> object(disk).allocated());
        put(disk, MIDDLE);
        return disk;
    }

    private static boolean isErased(Path disk) throws Exception {
        return !isAt(disk, MIDDLE);
    }

    /** As the operator writes it, with what the RawDevice says of the disk. */
    private void createVolume(String name, RawDevice device) throws Exception {
        kube.create(
                Types.PV,
                volume(name, device.name())
                        .with(
                                RawDevice.text(device.identity()),
                                "metadata",
                                "annotations",
                                RawDevice.IDENTITY));
    }

    /** As NativeStor wrote it: no word of the disk. */
    private static KubeObject volume(String name, String handle) {
        var spec =
                """
                {"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"volumeMode":"Block",
                 "csi":{"driver":"nativestor.alauda.io","volumeHandle":"%s"},
                 "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
                 {"key":"topology.nativestor.alauda.io/node","operator":"In","values":["%s"]}]}]}}}
                """;
        return KubeObject.create(Types.PV, ObjectKey.cluster(name))
                .with(Json.parse(spec.formatted(handle, NODE)), "spec");
    }

    /** Deletes an object; from then on, what claims could get is noted. */
    private void delete(RawDevice device) throws Exception {
        offers = Informer.of(kube, RawDevice.TYPE).build();
        offers.addHandler(
                (_, after) ->
                        after.map(RawDevice::of).filter(RawDevice::free).ifPresent(offered::add));
        offers.start();
        kube.delete(RawDevice.TYPE, device.object().key(), DeleteOptions.any());
    }

    private RawDevice named(String name) throws Exception {
        return RawDevice.of(kube.get(RawDevice.TYPE, ObjectKey.cluster(name)));
    }

    private boolean isThere(String name) throws Exception {
        return kube.find(RawDevice.TYPE, ObjectKey.cluster(name)).isPresent();
    }

    /** The same volume has the same disk, as if nothing had been. */
    private void awaitAgain(RawDevice before) throws Exception {
        until(() -> isThere(before.name()) && isAgain(named(before.name())));
        var now = named(before.name());
        assertEquals(before.name(), now.volumeId());
        assertEquals(before.volume(), now.volume());
        assertEquals(before.identity(), now.identity());
        assertTrue(
                offered.stream().noneMatch(o -> o.identity().equals(before.identity())),
                offered::toString);
    }

    private static boolean isAgain(RawDevice now) {
        var content = now.object().annotation(RawDevice.CONTENT);
        return now.allocated() && content.equals(Optional.of(RawDevice.USED)) && !now.lost();
    }

    @Safety(41)
    @Test
    void anAgentThatSeesItMakesItAgain() throws Exception {
        var disk = used("pvc-1"); // which is retained: there is no PersistentVolume any more
        var before = object(disk);
        delete(before);
        awaitAgain(before);
        assertFalse(isErased(disk));
    }

    @Safety(41)
    @Test
    void whatAVolumeHasLeftIsErasedAllTheSame() throws Exception {
        var disk = used("pvc-1");
        String uid;
        try (var _ = FileChannel.open(disk, StandardOpenOption.WRITE)) { // so it waits
            release(disk);
            until(() -> object(disk).erasureFailure().isPresent());
            uid = object(disk).object().uid();
            delete(object(disk));
            until(() -> found(disk).filter(now -> now.erasureFailure().isPresent()).isPresent());
            assertFalse(object(disk).object().uid().equals(uid));
        }
        wake(disk);
        awaitFree(disk);
        assertTrue(isErased(disk));
    }

    @Safety(41)
    @Test
    void anAgentThatWasAwayKnowsItByThePersistentVolume() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        createVolume("pvc-1", before);
        stop();
        delete(before);
        start();
        awaitAgain(before);
        assertFalse(isErased(disk));
        release(disk); // as the operator does when the claim goes
        awaitFree(disk);
        assertTrue(isErased(disk));
    }

    @Safety(41)
    @Test
    void aClassWhoseOnlyDiskItIsDoesNotTakeItMeanwhile() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        createVolume("pvc-1", before);
        stop();
        delete(before);
        group(
                name,
                "{\"deviceSelector\":{\"paths\":[\"%s\"],\"forceWipeDevicesAndDestroyAllData\":true}}"
                        .formatted(disk));
        start();
        until(() -> entry(name).isPresent() && excluded("raw device"));
        awaitAgain(before);
        assertFalse(isErased(disk));
        assertEquals(Optional.empty(), lvm.groups().report(name));
    }

    @Safety(41)
    @Test
    void aDiskThatHasAnotherNameByNowIsThatDisk() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        createVolume("pvc-1", before);
        stop();
        delete(before);
        var other = disks.add(2 * GIB);
        disks.exchange(disk, other);
        start();
        awaitAgain(before);
        assertEquals(other.toString(), named(before.name()).spec().realPath());
        awaitFree(disk); // which is the new one
        assertTrue(isAt(other, MIDDLE));
    }

    /** As after a backup of etcd was brought back that had the disk as free. */
    @Safety(41)
    @Test
    void anObjectThatIsThereWithoutItsVolumeGetsItAgain() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        createVolume("pvc-1", before);
        stop();
        write(
                kube.mergePatch(
                        RawDevice.TYPE,
                        MergePatch.of(before.object())
                                .withoutAnnotation(RawDevice.CONTENT)
                                .withoutAnnotation(RawDevice.VOLUME)),
                "");
        start();
        awaitAgain(before);
        assertFalse(isErased(disk));
    }

    @Safety(41)
    @Test
    void aProcessThatEndsInBetweenErasesNothing() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        stop();
        write(
                kube.mergePatch(
                        RawDevice.TYPE,
                        MergePatch.of(before.object())
                                .annotation(RawDevice.CONTENT, RawDevice.RESTORED)),
                "");
        start();
        awaitAgain(before);
        assertFalse(isErased(disk));
    }

    /** However it came about: what a volume has is not erased for another that had it. */
    @Safety(41)
    @Test
    void aSecondObjectOfItsDiskIsNotErased() throws Exception {
        var disk = used("pvc-1");
        var device = object(disk);
        kube.create(
                RawDevice.TYPE,
                RawDevice.create("former", device.spec(), device.identity())
                        .with(RawDevice.USED, "metadata", "annotations", RawDevice.CONTENT));
        until(() -> named("former").erasureFailure().isPresent());
        assertEquals(
                Optional.of("a volume has the disk, as RawDevice " + device.name()),
                named("former").erasureFailure());
        assertFalse(isErased(disk));
    }

    @Test
    void aVolumeOfNativestorIsTheDiskAtItsPath() throws Exception {
        var disk = used("pvc-1");
        var before = object(disk);
        kube.create(Types.PV, volume("pvc-1", before.name()));
        stop();
        delete(before);
        start();
        awaitAgain(before);
        assertFalse(isErased(disk));
    }

    @Safety(41)
    @Test
    void whereNothingSaysWhichDiskItWasNoneIsGivenAway() throws Exception {
        var disk = disks.add(2 * GIB);
        var handle = RawDevice.nameOf(NODE, NOBODYS_PATH);
        kube.create(Types.PV, volume("pvc-1", handle));
        start();
        var why = "perhaps that of PersistentVolume pvc-1, whose RawDevice " + handle + " is gone";
        until(() -> found(disk).filter(now -> now.spec().reason().contains(why)).isPresent());
        want(disk, "pvc-2");
        until(() -> object(disk).refusal().filter(text -> text.contains(why)).isPresent());
        group(name, selecting(disk));
        until(() -> entry(name).isPresent() && excluded(why));
        var key = ObjectKey.cluster("pvc-1");
        kube.removeFinalizer(Types.PV, kube.get(Types.PV, key), "kubernetes.io/pv-protection");
        kube.delete(Types.PV, key, DeleteOptions.any());
        wake(disk);
        until(() -> !object(disk).spec().reason().contains(why));
    }
}
