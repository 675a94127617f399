package lvms.operator.rawdevice;

import static lvms.operator.rawdevice.RawCluster.GIB;
import static lvms.operator.rawdevice.RawCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A claim of NativeStor's driver gets a whole device, the smallest that fits, and gives it back.
 */
@Lasts(seconds = 40)
class RawDeviceClaimTests {
    private static void awaitFreed(RawCluster cluster, String device) throws Exception {
        cluster.await("the device is given back", () -> !cluster.device(device).allocated());
    }

    @Test
    void aPodRunsWhereADeviceFitsAndGetsTheSmallestOfItsNode() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.node("n2");
            cluster.device("n1", "/dev/sdb", 3 * GIB);
            cluster.device("n2", "/dev/sdb", 100 * GIB);
            var best = cluster.device("n2", "/dev/sdc", 8 * GIB);
            cluster.device("n2", "/dev/sdd", 4 * GIB);
            cluster.awaitCapacity("n1", "3Gi", "3Gi");
            cluster.awaitCapacity("n2", "112Gi", "100Gi");
            cluster.createClaim("data", "raw", "5Gi");
            cluster.createPod("data");
            assertEquals("n2", cluster.awaitNodeOf("data"));

            var volume = cluster.awaitVolumeOf("data");
            assertEquals(Optional.of(best), volume.text("spec", "csi", "volumeHandle"));
            assertEquals(Optional.of("nativestor.alauda.io"), volume.text("spec", "csi", "driver"));
            assertEquals(
                    Optional.of("8Gi"),
                    volume.text("spec", "capacity", "storage"),
                    "the pod has the whole device");
            assertEquals(Optional.of("Block"), volume.text("spec", "volumeMode"));
            var requirement =
                    volume.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms")
                            .getFirst()
                            .objects("matchExpressions")
                            .getFirst();
            assertEquals(
                    Optional.of("topology.nativestor.alauda.io/node"), requirement.text("key"));
            assertEquals(List.of("n2"), requirement.texts("values"));
            assertEquals(best, cluster.device(best).volumeId());
            assertEquals(Optional.of(volume.name()), cluster.device(best).volume());
            cluster.awaitUnmarked(best);
            cluster.awaitEvent("data", "ProvisioningSucceeded", volume.name());
            cluster.awaitCapacity("n2", "104Gi", "100Gi");
        }
    }

    @Test
    void aClaimThatGoesGivesItsDeviceBackAndTheNextOneGetsItErased() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            var device = cluster.device("n1", "/dev/sdb", 3 * GIB);
            cluster.createClaim("data", "now", "3Gi");
            var volume = cluster.awaitVolumeOf("data");
            cluster.awaitUnmarked(device);
            cluster.delete(Types.PVC, claim("data"));
            awaitFreed(cluster, device);
            cluster.await(
                    "the PersistentVolume is gone",
                    () -> cluster.kube.find(Types.PV, volume.key()).isEmpty());
            cluster.await("nobody wants it", () -> cluster.device(device).volume().isEmpty());
            cluster.awaitCapacity("n1", "0", "0");

            cluster.createClaim("next", "now", "3Gi");
            cluster.agent.erase();
            assertEquals(
                    Optional.of(device),
                    cluster.awaitVolumeOf("next").text("spec", "csi", "volumeHandle"));
        }
    }

    /**
     * NativeStor's own test of raw devices: a claim of 3 GiB, and a pod that has it as /dev/sdf.
     */
    @Test
    void theSampleGetsADevice() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
            for (var document :
                    Yaml.readAll(Files.readString(Path.of("deploy/samples/raw-device.yaml")))) {
                var object = KubeObject.of(document.asObject());
                var type =
                        Stream.of(Types.STORAGE_CLASS, Types.PVC, Types.POD)
                                .filter(t -> object.text("kind").equals(Optional.of(t.kind())))
                                .findFirst()
                                .orElseThrow();
                cluster.kube.create(
                        type,
                        type.namespaced()
                                ? object.with("default", "metadata", "namespace")
                                : object);
            }
            assertEquals("n1", cluster.awaitNodeOf("raw-device"));
            assertEquals(
                    Optional.of(device),
                    cluster.awaitVolumeOf("raw-device").text("spec", "csi", "volumeHandle"));
        }
    }

    @Test
    void whoDoesNotWaitForAPodGetsADeviceOfAnyNode() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.node("n2");
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 9 * GIB);
            var best = cluster.device("n2", "/dev/sdb", 6 * GIB);
            cluster.createClaim("data", "now", "5Gi");
            assertEquals(
                    Optional.of(best),
                    cluster.awaitVolumeOf("data").text("spec", "csi", "volumeHandle"));
        }
    }

    @Test
    void aDeviceThatItsNodeRefusesLeadsToTheNextOne() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            var refused = cluster.device("n1", "/dev/sdb", 5 * GIB);
            var next = cluster.device("n1", "/dev/sdc", 6 * GIB);
            cluster.agent.refuse(refused, "has data in its first or last MiB");
            cluster.createClaim("data", "raw", "5Gi");
            cluster.createPod("data");
            assertEquals(
                    Optional.of(next),
                    cluster.awaitVolumeOf("data").text("spec", "csi", "volumeHandle"));
            assertEquals(Optional.empty(), cluster.device(refused).volume());
        }
    }

    @Test
    void ifEveryDeviceIsRefusedTheClaimSaysWhyAndTriesAgain() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.agent.refuse(device, "is in use: opened");
            cluster.createClaim("data", "raw", "5Gi");
            cluster.createPod("data");
            cluster.awaitEvent(
                    "data", "ProvisioningFailed", "node n1 refused /dev/sdb: is in use: opened");
            cluster.agent.allow(device);
            cluster.awaitVolumeOf("data");
        }
    }

    @Test
    void aClaimThatIsLargerThanEveryDeviceWaitsForALargerOne() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 4 * GIB);
            cluster.createClaim("data", "now", "5Gi");
            cluster.awaitEvent(
                    "data",
                    "ProvisioningFailed",
                    "5GiB requested, but the largest free raw device of node n1 has 4GiB");
            assertFalse(cluster.isBound("data"));
            var larger = cluster.device("n1", "/dev/sdc", 5 * GIB);
            assertEquals(
                    Optional.of(larger),
                    cluster.awaitVolumeOf("data").text("spec", "csi", "volumeHandle"));
        }
    }

    /** The capacity that the scheduler knows may be older than the last claim. */
    @Test
    void aClaimWithoutRoomOnItsNodeGoesBackToTheScheduler() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.node("n2");
            var device = cluster.device("n2", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "raw", "5Gi");
            cluster.patch(
                    Types.PVC,
                    claim("data"),
                    "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'n1'}}}");
            cluster.awaitEvent(
                    "data",
                    "ProvisioningFailed",
                    "5GiB requested, but there is no free raw device on node n1");
            cluster.await(
                    "the node is open again",
                    () ->
                            cluster.kube
                                    .get(Types.PVC, claim("data"))
                                    .annotation("volume.kubernetes.io/selected-node")
                                    .isEmpty());
            cluster.createPod("data");
            assertEquals("n2", cluster.awaitNodeOf("data"));
            assertTrue(cluster.device(device).allocated());
        }
    }

    /** Kubernetes lets people ask if the StorageClass says so. */
    @Test
    void aClaimThatAsksForMoreThanItsDeviceHasHearsThatItCannotGrow() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", ",'allowVolumeExpansion':true");
            var device = cluster.device("n1", "/dev/sdb", 8 * GIB);
            cluster.createClaim("data", "now", "5Gi");
            cluster.awaitVolumeOf("data");
            ask(cluster, "10Gi");
            var words =
                    "10GiB requested, but the volume has 8GiB: a raw device cannot grow; make a"
                            + " larger claim, copy the data, and delete this one";
            cluster.awaitEvent("data", "VolumeResizeFailed", "resize volume failed: " + words);
            var told = cluster.kube.get(Types.PVC, claim("data"));
            assertEquals(words, told.condition("ControllerResizeError").orElseThrow().message());
            ask(cluster, "11Gi");
            cluster.awaitEvent("data", "VolumeResizeFailed", "11GiB requested, but");
            assertEquals(
                    Optional.of("8Gi"),
                    cluster.awaitVolumeOf("data").text("spec", "capacity", "storage"));
            assertTrue(cluster.device(device).allocated(), "the pod keeps its device");
        }
    }

    /** The device is as large as it is, so part of what one may ask for is there already. */
    @Test
    void aClaimThatAsksForWhatItsDeviceHasIsNotRefused() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", ",'allowVolumeExpansion':true");
            cluster.device("n1", "/dev/sdb", 8 * GIB);
            cluster.device("n1", "/dev/sdc", 3 * GIB);
            cluster.createClaim("data", "now", "5Gi");
            cluster.createClaim("other", "now", "3Gi");
            cluster.awaitVolumeOf("data");
            cluster.awaitVolumeOf("other");
            ask(cluster, "8Gi");
            cluster.patch(Types.PVC, claim("other"), size("4Gi"));
            cluster.awaitEvent("other", "VolumeResizeFailed", "the volume has 3GiB");
            assertEquals(
                    Optional.empty(),
                    cluster.kube.get(Types.PVC, claim("data")).condition("ControllerResizeError"));
        }
    }

    private static void ask(RawCluster cluster, String size) throws Exception {
        cluster.patch(Types.PVC, claim("data"), size(size));
    }

    private static String size(String text) {
        return "{'spec':{'resources':{'requests':{'storage':'" + text + "'}}}}";
    }

    private static Stream<Arguments> impossible() {
        var once = "'accessModes':['ReadWriteOnce']";
        var block = ",'volumeMode':'Block'";
        return Stream.of(
                Arguments.of(once, "without a filesystem: the claim has to say volumeMode: Block"),
                Arguments.of(once + ",'volumeMode':'Filesystem'", "volumeMode: Block"),
                Arguments.of(
                        "'accessModes':['ReadWriteMany']" + block, "access modes ReadWriteMany"),
                Arguments.of("'accessModes':['ReadOnlyMany']" + block, "access modes ReadOnlyMany"),
                Arguments.of(
                        once
                                + block
                                + ",'dataSource':{'kind':'PersistentVolumeClaim','name':'other'}",
                        "are not copied"),
                Arguments.of(
                        once + block + ",'volumeAttributesClassName':'gold'", "has no attributes"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void whatNoRawDeviceCanBeIsRefused(String spec, String words) throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "now", "5Gi", "," + spec);
            cluster.awaitEvent("data", "ProvisioningFailed", words);
            assertEquals(Optional.empty(), cluster.devices().getFirst().volume());
        }
    }

    @Test
    void aVolumeForOnePodAloneIsServed() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim(
                    "data",
                    "now",
                    "5Gi",
                    ",'volumeMode':'Block','accessModes':['ReadWriteOncePod']");
            cluster.awaitVolumeOf("data");
        }
    }

    @Test
    void ofTwoClaimsForOneDeviceOneGetsItAndTheOtherIsTold() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.createClaim("a", "now", "5Gi");
            cluster.createClaim("b", "now", "5Gi");
            cluster.awaitEvent("a", "ProvisioningFailed", "there is no free raw device");
            cluster.awaitEvent("b", "ProvisioningFailed", "there is no free raw device");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.await("one has it", () -> cluster.isBound("a") || cluster.isBound("b"));
            assertFalse(cluster.isBound("a") && cluster.isBound("b"));
            cluster.device("n1", "/dev/sdc", 5 * GIB);
            var a = cluster.awaitVolumeOf("a").text("spec", "csi", "volumeHandle");
            var b = cluster.awaitVolumeOf("b").text("spec", "csi", "volumeHandle");
            assertFalse(a.equals(b), "two claims have the device " + a);
        }
    }

    @Test
    void aNodeThatGetsNoNewVolumesGivesNone() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("now", "");
            cluster.patch(
                    Types.NODE,
                    ObjectKey.cluster("n1"),
                    "{'metadata':{'annotations':{'lvms.topolvm.io/no-new-volumes':"
                            + "'nativestor.alauda.io'}}}");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.awaitCapacity("n1", "0", "0");
            cluster.createClaim("data", "now", "5Gi");
            cluster.awaitEvent("data", "ProvisioningFailed", "no new volumes on node n1");
        }
    }

    @Test
    void aRetainedDeviceStaysWithItsContent() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.createClass("kept", ",'reclaimPolicy':'Retain'");
            var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "kept", "5Gi");
            var volume = cluster.awaitVolumeOf("data");
            cluster.awaitUnmarked(device);
            cluster.delete(Types.PVC, claim("data"));
            cluster.await("it is released", () -> isReleased(cluster, volume));
            cluster.delete(Types.PV, volume.key());
            cluster.await("it is gone", () -> cluster.list(Types.PV).isEmpty());
            cluster.device("n1", "/dev/sdc", 5 * GIB);
            cluster.createClaim("marker", "kept", "5Gi");
            cluster.awaitVolumeOf("marker");
            assertEquals(device, cluster.device(device).volumeId());
        }
    }

    private static boolean isReleased(RawCluster cluster, KubeObject volume) throws Exception {
        return cluster.kube
                .get(Types.PV, volume.key())
                .text("status", "phase")
                .filter("Released"::equals)
                .isPresent();
    }

    @Test
    void aLostDeviceIsToldToItsClaimAndItsReturnToo() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "raw", "5Gi");
            cluster.createPod("data");
            cluster.awaitVolumeOf("data");
            cluster.awaitUnmarked(device);
            cluster.say(device, false, RawDevice.GONE);
            cluster.awaitEvent(
                    "data",
                    "VolumeConditionAbnormal",
                    "raw device /dev/sdb of node n1 is gone (SERIAL=disk /dev/sdb)");
            cluster.say(device, false, "a volume has the device, or had it");
            cluster.awaitEvent(
                    "data", "VolumeConditionNormal", "raw device /dev/sdb of node n1 is back");
        }
    }

    @Test
    void aNodeThatIsDownIsToldToTheClaimsOfItsDevices() throws Exception {
        try (var cluster = RawCluster.withNode()) {
            cluster.node("n2");
            var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "raw", "5Gi");
            cluster.createPod("data");
            cluster.awaitVolumeOf("data");
            cluster.awaitUnmarked(device);
            ready(cluster, "n2", "False");
            ready(cluster, "n1", "False");
            cluster.awaitEvent(
                    "data", "NodeFailed", "node n1 has not been ready since 2020-01-01T00:00:00Z");
            ready(cluster, "n1", "True");
            cluster.awaitEvent("data", "NodeRecovered", "node n1 is ready again");
        }
    }

    private static void ready(RawCluster cluster, String node, String status) throws Exception {
        var conditions =
                "{status: {conditions: [{type: Ready, status: '%s', lastTransitionTime:"
                        + " '2020-01-01T00:00:00Z'}]}}";
        cluster.kube.mergePatchStatus(
                Types.NODE,
                ObjectKey.cluster(node),
                Yaml.read(conditions.formatted(status)).asObject());
    }

    @Test
    void nothingIsAskedOfRawDevicesBeforeTheDriverIsOurs() throws Exception {
        try (var cluster = new RawCluster()) {
            cluster.delete(Types.CSI_DRIVER, RawCluster.DRIVER);
            cluster.createDriver(""); // NativeStor's own
            cluster.node("n1");
            cluster.createClass("now", "");
            cluster.device("n1", "/dev/sdb", 5 * GIB);
            cluster.createClaim("data", "now", "5Gi");
            cluster.server.faults().forgetRequests();
            cluster.startOperator();
            cluster.await("the driver was looked at", () -> cluster.requested("GET", "csidrivers"));
            cluster.delete(Types.CSI_DRIVER, RawCluster.DRIVER);
            cluster.createClass("marker", "");
            cluster.await("the class was seen", () -> cluster.requested("GET", "storageclasses"));
            assertFalse(cluster.requested("GET", "rawdevices"));
            assertEquals(List.of(), cluster.measures("# TYPE lvms_raw_device"));
            cluster.createDriver("TopolvmCluster");
            cluster.awaitVolumeOf("data");

            cluster.delete(Types.CSI_DRIVER, RawCluster.DRIVER); // switched off ...
            cluster.createClaim("off", "now", "5Gi");
            var next = cluster.device("n1", "/dev/sdc", 5 * GIB);
            cluster.createDriver("LVMCluster"); // ... and on again
            assertEquals(
                    Optional.of(next),
                    cluster.awaitVolumeOf("off").text("spec", "csi", "volumeHandle"));
        }
    }
}
