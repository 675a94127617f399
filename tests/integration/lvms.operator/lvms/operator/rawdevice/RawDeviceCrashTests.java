package lvms.operator.rawdevice;

import static lvms.operator.rawdevice.RawCluster.GIB;
import static lvms.operator.rawdevice.RawCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/**
 * Whatever is cut, no claim gets two devices, none is lost, and none is taken away from another.
 */
@Lasts(seconds = 20)
class RawDeviceCrashTests {
    private static List<String> wanted(RawCluster cluster) throws Exception {
        return cluster.devices().stream()
                .filter(device -> device.volume().isPresent() || device.allocated())
                .map(RawDevice::name)
                .toList();
    }

    private static RawCluster withTwoDevices() throws Exception {
        var cluster = RawCluster.withNode();
        cluster.createClass("now", "");
        cluster.device("n1", "/dev/sdb", 5 * GIB);
        cluster.device("n1", "/dev/sdc", 5 * GIB);
        return cluster;
    }

    private static void assertOneDevice(RawCluster cluster, String device) throws Exception {
        var volume = cluster.awaitVolumeOf("data");
        assertEquals(Optional.of(device), volume.text("spec", "csi", "volumeHandle"));
        cluster.awaitUnmarked(device);
        assertEquals(List.of(device), wanted(cluster));
    }

    @Test
    @Safety(41)
    void anOperatorThatDiesBetweenWishAndVolumeLeavesOneDevice() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.agent.hold();
            cluster.createClaim("data", "now", "5Gi");
            cluster.await("a device is wanted", () -> !wanted(cluster).isEmpty());
            var device = wanted(cluster).getFirst();
            cluster.killOperator();
            cluster.agent.resume();
            cluster.await("it is given", () -> cluster.device(device).allocated());
            cluster.startOperator();
            assertOneDevice(cluster, device);
        }
    }

    @Test
    @Safety(41)
    void anOperatorThatDiesBeforeTheVolumeIsWrittenHandsTheSameDeviceOut() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.server
                    .faults()
                    .answer(
                            seen -> writes(seen, "POST", "/persistentvolumes"),
                            100_000,
                            500,
                            "down");
            cluster.createClaim("data", "now", "5Gi");
            cluster.await(
                    "it is to be handed out",
                    () -> cluster.requested("POST", "/persistentvolumes"));
            var device = wanted(cluster).getFirst();
            cluster.killOperator();
            cluster.server.faults().clear();
            cluster.startOperator();
            assertOneDevice(cluster, device);
        }
    }

    private static boolean writes(Seen seen, String method, String part) {
        return RawCluster.isOfOperator(seen, method) && seen.target().contains(part);
    }

    /** The cache may not show the wish yet when it is tried again. */
    @Test
    @Safety(41)
    void aWishWhoseAnswerWasLostIsNotMadeTwice() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.createClaim("data", "now", "5Gi");
            cluster.awaitEvent("data", "ProvisioningFailed", "there is no free raw device");
            var faults = cluster.server.faults();
            faults.stallWatches(true);
            faults.cutAfter(seen -> writes(seen, "PATCH", "/rawdevices/"), 1);
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.device("n1", "/dev/sdc", 5 * GIB);
            cluster.await("a device is wanted", () -> !wanted(cluster).isEmpty());
            var device = wanted(cluster).getFirst();
            faults.forgetRequests();
            cluster.await("it is tried again", () -> cluster.requested("GET", "/rawdevices"));
            faults.stallWatches(false);
            faults.cutWatches(); // what a stalled watch lost is sent again
            assertOneDevice(cluster, device);
        }
    }

    @Test
    @Safety(41)
    void aClaimThatGoesWhileItIsServedGivesItsDeviceBack() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.agent.hold();
            cluster.createClaim("data", "now", "5Gi");
            cluster.await("a device is wanted", () -> !wanted(cluster).isEmpty());
            cluster.delete(Types.PVC, claim("data"));
            cluster.await("nothing is wanted", () -> wanted(cluster).isEmpty());
            cluster.agent.resume();
            cluster.createClaim("next", "now", "5Gi");
            cluster.awaitVolumeOf("next");
        }
    }

    @Test
    @Safety(41)
    void aClaimThatGoesWhileTheOperatorIsAwayGivesItsDeviceBack() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.agent.hold();
            cluster.createClaim("data", "now", "5Gi");
            cluster.await("a device is wanted", () -> !wanted(cluster).isEmpty());
            var device = wanted(cluster).getFirst();
            cluster.killOperator();
            cluster.agent.resume();
            cluster.await("it is given", () -> cluster.device(device).allocated());
            cluster.delete(Types.PVC, claim("data"));
            cluster.startOperator();
            cluster.await("it is given back", () -> wanted(cluster).isEmpty());
            assertTrue(cluster.device(device).toBeErased(), "somebody might have had it");
        }
    }

    @Test
    @Safety(41)
    void theVolumeOfANodeThatIsGoneIsBegunElsewhere() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.agent.hold();
            cluster.createClaim("data", "now", "5Gi");
            cluster.await("a device is wanted", () -> !wanted(cluster).isEmpty());
            cluster.node("n2");
            var other = cluster.device("n2", "/dev/sdb", 6 * GIB);
            cluster.delete(Types.NODE, ObjectKey.cluster("n1"));
            cluster.await("the other one is wanted", () -> wanted(cluster).equals(List.of(other)));
            cluster.agent.resume();
            assertOneDevice(cluster, other);
        }
    }

    private static KubeObject released(String name, String handle, String annotations) {
        return KubeObject.of(
                RawCluster.object(
                        ("{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s',"
                                        + "'annotations':{%s}},'spec':{'capacity':{'storage':"
                                        + "'5Gi'},'accessModes':['ReadWriteOnce'],'volumeMode':"
                                        + "'Block','persistentVolumeReclaimPolicy':'Delete',"
                                        + "'storageClassName':'now','claimRef':{'namespace':"
                                        + "'default','name':'former','uid':'former'},'csi':{"
                                        + "'driver':'nativestor.alauda.io','volumeHandle':'%s'}}}")
                                .formatted(name, annotations, handle)));
    }

    private static final String NATIVESTORS =
            "'pv.kubernetes.io/provisioned-by':'nativestor.alauda.io'";

    private static void awaitGone(RawCluster cluster, String volume) throws Exception {
        cluster.await(
                "PersistentVolume " + volume + " is gone",
                () -> cluster.kube.find(Types.PV, ObjectKey.cluster(volume)).isEmpty());
    }

    @Test
    @Safety(41)
    void aVolumeWhoseDeviceNobodyKnowsCountsAsDeleted() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.kube.create(Types.PV, released("pvc-1", "unknown", NATIVESTORS));
            cluster.kube.create(Types.PV, released("pvc-2", "no/such id", NATIVESTORS));
            awaitGone(cluster, "pvc-1");
            awaitGone(cluster, "pvc-2");
        }
    }

    @Test
    @Safety(41)
    void whatNativestorGaveAwayIsGivenBack() throws Exception {
        try (var cluster = withTwoDevices()) {
            var device = RawDevice.nameOf("n1", "/dev/sdb");
            cluster.kube.mergePatchStatus(
                    RawDevice.TYPE,
                    ObjectKey.cluster(device),
                    RawCluster.object("{'status':{'name':'" + device + "'}}"));
            cluster.kube.create(Types.PV, released("pvc-1", device, NATIVESTORS));
            awaitGone(cluster, "pvc-1");
            assertEquals("", cluster.device(device).volumeId());
        }
    }

    /** Whatever a volume had is remembered for the day on which the node comes back. */
    @Test
    void theDevicesOfANodeThatIsGoneGoAndThoseOfVolumesStay() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.node("n2");
            var free = cluster.device("n2", "/dev/sdd", GIB);
            var unerased = cluster.device("n2", "/dev/sde", GIB);
            var had = cluster.device("n2", "/dev/sdf", 9 * GIB);
            cluster.patch(
                    RawDevice.TYPE,
                    ObjectKey.cluster(unerased),
                    "{'metadata':{'annotations':{'lvms.topolvm.io/content':'used'}}}");
            cluster.createClaim("data", "now", "9Gi");
            cluster.awaitVolumeOf("data");
            assertTrue(cluster.device(had).allocated());
            cluster.delete(Types.NODE, ObjectKey.cluster("n2"));
            cluster.await(
                    "the free one is gone",
                    () -> cluster.devices().stream().noneMatch(d -> d.name().equals(free)));
            assertEquals(4, cluster.devices().size(), cluster.devices()::toString);
            assertTrue(cluster.device(unerased).used());
            assertTrue(cluster.device(had).allocated());
        }
    }

    /** The id of a volume is that of its device, so the next volume has the same one. */
    @Test
    @Safety(41)
    void aDeletionThatComesLateTakesNothingAwayFromTheNextVolume() throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.createClaim("data", "now", "5Gi");
            var device =
                    cluster.awaitVolumeOf("data").text("spec", "csi", "volumeHandle").orElseThrow();
            cluster.awaitUnmarked(device);
            cluster.kube.create(Types.PV, released("pvc-former", device, NATIVESTORS));
            cluster.kube.create(Types.PV, released("pv-of-a-person", device, ""));
            awaitGone(cluster, "pvc-former");
            assertEquals(device, cluster.device(device).volumeId());
        }
    }

    private static Optional<String> disk(RawCluster cluster, String volume) throws Exception {
        return cluster.kube.get(Types.PV, ObjectKey.cluster(volume)).annotation(RawDevice.IDENTITY);
    }

    /**
     * As its node does: first the mark that keeps it from being erased, then the volume, each write
     * only if nobody else has written.
     */
    private static void makeAgain(RawCluster cluster, RawDevice before, int writes)
            throws Exception {
        var made =
                cluster.kube.create(
                        RawDevice.TYPE,
                        RawDevice.create(before.name(), before.spec(), before.identity())
                                .with(
                                        RawDevice.RESTORED,
                                        "metadata",
                                        "annotations",
                                        RawDevice.CONTENT)
                                .with(
                                        before.volume().orElseThrow(),
                                        "metadata",
                                        "annotations",
                                        RawDevice.VOLUME));
        try {
            if (writes > 1) {
                made =
                        cluster.kube.mergePatchStatus(
                                RawDevice.TYPE,
                                MergePatch.of(made)
                                        .ifUnchanged()
                                        .set(before.name(), "status", "name"));
            }
            if (writes > 2) {
                cluster.kube.mergePatch(
                        RawDevice.TYPE,
                        MergePatch.of(made)
                                .ifUnchanged()
                                .annotation(RawDevice.CONTENT, RawDevice.USED));
            }
        } catch (ApiException.Conflict _) {
            return; // the operator has given it back meanwhile
        }
    }

    /** Without its RawDevice nobody would know that the disk of a volume has to be erased. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Safety(41)
    void aVolumeWhoseDeviceWasDeletedWaitsUntilItsNodeHasMadeItAgain(int writes) throws Exception {
        try (var cluster = withTwoDevices()) {
            cluster.createClaim("data", "now", "5Gi");
            var volume = cluster.awaitVolumeOf("data");
            var name = volume.text("spec", "csi", "volumeHandle").orElseThrow();
            cluster.awaitUnmarked(name);
            var before = cluster.device(name);
            cluster.await(
                    "its disk is noted on the volume",
                    () ->
                            disk(cluster, volume.name())
                                    .equals(Optional.of(RawDevice.text(before.identity()))));
            cluster.delete(RawDevice.TYPE, ObjectKey.cluster(name));
            cluster.delete(Types.PVC, claim("data"));
            cluster.awaitEvent(
                    volume.name(), "VolumeFailedDelete", "RawDevice " + name + " was deleted");
            makeAgain(cluster, before, writes);
            awaitGone(cluster, volume.name());
            cluster.await("its disk is erased next", () -> cluster.device(name).toBeErased());
        }
    }
}
