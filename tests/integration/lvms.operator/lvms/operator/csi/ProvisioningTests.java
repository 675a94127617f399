package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.operator.ProvisionerSettings;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A claim becomes a bound volume, and nothing is left of one that cannot or shall not. */
@Lasts(seconds = 85)
class ProvisioningTests {
    private static final long GIB = 1L << 30;
    private static final String WAIT = ",'volumeBindingMode':'WaitForFirstConsumer'";

    @Test
    void anImmediateClaimIsBoundAndItsDeletionLeavesNothing() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.createClaim("data", "fast", "1Gi", "");
            var bound = cluster.awaitBound("data");
            var name = bound.text("spec", "volumeName").orElseThrow();
            assertEquals("pvc-" + bound.uid(), name);
            assertEquals(1, cluster.agent.made());
            cluster.awaitEvent("ProvisioningSucceeded");
            cluster.await(
                    "the mark is off",
                    () -> DriverCluster.mark(cluster.volumes().getFirst()).isEmpty());

            cluster.delete(Types.PVC, claim("data"));
            cluster.awaitNothingLeft();
        }
    }

    @Test
    void claimsWaitWhileTheDriverOfThatNameIsAnothers() throws Exception {
        try (var cluster = new DriverCluster()) {
            cluster.agent.addNode("n1", 10 * GIB);
            var driver = ObjectKey.cluster("topolvm.io");
            cluster.kube.create(
                    Types.CSI_DRIVER,
                    KubeObject.create(Types.CSI_DRIVER, driver)
                            .with(false, "spec", "attachRequired"));
            cluster.server.faults().forgetRequests();
            cluster.startOperator();
            cluster.createClass("fast", "");
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.await(
                    "the driver was looked at",
                    () ->
                            cluster.server.faults().requests().stream()
                                    .anyMatch(r -> r.target().contains("csidrivers")));
            assertEquals(0, cluster.volumes().size());
            cluster.delete(Types.CSI_DRIVER, driver);
            cluster.awaitBound("data");
        }
    }

    @Test
    void aClassThatNamesNoFilesystemGetsTheChosenOne() throws Exception {
        var chosen = new ProvisionerSettings("xfs", false, false);
        try (var cluster = DriverCluster.withNode(100 * GIB, chosen)) {
            cluster.createClass("any", "");
            cluster.create(
                    Types.STORAGE_CLASS,
                    "{'metadata':{'name':'own'},'provisioner':'topolvm.io','parameters':"
                            + "{'topolvm.io/device-class':'ssd','fsType':'ext4'}}");
            cluster.createClaim("any", "any", "1Gi", "");
            cluster.createClaim("own", "own", "1Gi", "");
            cluster.createClaim("device", "any", "1Gi", ",'volumeMode':'Block'");
            assertEquals(Optional.of("xfs"), fsType(cluster, "any"));
            assertEquals(Optional.of("ext4"), fsType(cluster, "own"));
            assertEquals(Optional.empty(), fsType(cluster, "device"));
        }
    }

    private static Optional<String> fsType(DriverCluster cluster, String claim) throws Exception {
        return cluster.kube
                .get(Types.PV, cluster.awaitVolumeOf(claim))
                .text("spec", "csi", "fsType");
    }

    @Test
    void theSchedulersNodeIsTaken() throws Exception {
        try (var cluster = DriverCluster.withNode(100 * GIB)) {
            cluster.agent.addNode("n2", 10 * GIB);
            cluster.createClass("fast", WAIT);
            cluster.createClaim("data", "fast", "1Gi", "");
            select(cluster, "data", "n2");
            cluster.awaitBound("data");
            var volume = cluster.volumes().getFirst();
            assertEquals("n2", volume.spec().nodeName());
            assertEquals(
                    Optional.of(claim("data").toString()),
                    volume.object().annotation(volume.driver().claimNameAnnotation()));
        }
    }

    @Test
    void anAgentThatIsReplacedIsAwaitedAndOneThatStaysAwayIsTold() throws Exception {
        try (var cluster = DriverCluster.withUnregisteredNode(10 * GIB)) {
            cluster.createClass("fast", WAIT);
            cluster.createClaim("data", "fast", "1Gi", "");
            select(cluster, "data", "n1");
            var chosen = Instant.now();
            cluster.awaitEvent("ProvisioningFailed");
            assertTrue(Duration.between(chosen, Instant.now()).toSeconds() > 10);
            cluster.agent.register("n1");
            var registered = Instant.now();
            cluster.awaitBound("data");
            assertTrue(Duration.between(registered, Instant.now()).toSeconds() < 10);
        }
    }

    private static void select(DriverCluster cluster, String claim, String node) throws Exception {
        var patch = "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'%s'}}}";
        cluster.patch(Types.PVC, claim(claim), patch.formatted(node));
    }

    @Test
    @Safety(38)
    void aFilesystemThatNoNodeMakesIsRefusedBeforeAVolumeIsMade() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass(
                    "odd",
                    ",'parameters':{'topolvm.io/device-class':'','csi.storage.k8s.io/fstype':'ntfs'}");
            cluster.createClaim("data", "odd", "1Gi", "");
            var event = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(event.contains("ntfs") && event.contains("ext4"), event);
            assertEquals(0, cluster.agent.made());
            assertEquals(0, cluster.volumes().size());
        }
    }

    /** After a crash, files would show what volumes of others left on the disks. */
    @Test
    @Safety(45)
    void aMountOptionThatShowsOldBlocksIsRefused() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass(
                    "fast",
                    ",'mountOptions':['noatime','data=writeback'],"
                            + "'parameters':{'topolvm.io/device-class':''}");
            cluster.createClaim("data", "fast", "1Gi", "");
            var event = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(event.contains("data=writeback"), event);
            assertEquals(0, cluster.volumes().size());
        }
    }

    @Test
    void optionsOfMkfsAreInTheVolumeAndWrongOnesAreRefusedBeforeOneIsMade() throws Exception {
        var text =
                ",'parameters':{'topolvm.io/device-class':'ssd','lvms.topolvm.io/mkfs-options':'%s'}";
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("wrong", text.formatted("-J device=/dev/sda"));
            cluster.createClaim("wrong", "wrong", "1Gi", "");
            var event = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(event.contains("device=/dev/sda cannot be -J of ext4"), event);
            assertEquals(0, cluster.volumes().size());

            cluster.createClass("right", text.formatted("-b 1024"));
            cluster.createClaim("right", "right", "1Gi", "");
            var volume = cluster.kube.get(Types.PV, cluster.awaitVolumeOf("right"));
            assertEquals(
                    "-b 1024",
                    volume.textMap("spec", "csi", "volumeAttributes")
                            .get("lvms.topolvm.io/mkfs-options"));
        }
    }

    /** An agent writes the id into the status of its objects, and one may have been taken over. */
    @Test
    @Safety(18)
    void anObjectThatClaimsTheVolumeOfAnotherNodeIsNotGrownForIt() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", WAIT);
            cluster.createClaim("data", "fast", "1Gi", "");
            select(cluster, "data", "n1");
            cluster.awaitBound("data");
            var victim = cluster.volumes().getFirst();
            var thief = ObjectKey.cluster("a-thief");
            cluster.kube.create(
                    LogicalVolume.TYPE,
                    KubeObject.create(LogicalVolume.TYPE, thief)
                            .with("a-thief", "spec", "name")
                            .with("n9", "spec", "nodeName")
                            .with("1Gi", "spec", "size"));
            cluster.kube.mergePatchStatus(
                    LogicalVolume.TYPE,
                    thief,
                    DriverCluster.object("{'status':{'volumeID':'" + victim.uid() + "'}}"));
            cluster.killOperator();
            cluster.startOperator(); // it reads the thief first, by its name
            cluster.patch(
                    Types.PVC,
                    claim("data"),
                    "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
            cluster.await(
                    "the right one grows", () -> bytes(cluster, victim.object().key()) == 2 * GIB);
            assertEquals(GIB, bytes(cluster, thief));
        }
    }

    private static long bytes(DriverCluster cluster, ObjectKey volume) throws Exception {
        return LogicalVolume.of(cluster.kube.get(LogicalVolume.TYPE, volume)).bytes();
    }

    @Test
    void aRetainedVolumeStaysWhenItsClaimGoes() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("kept", ",'reclaimPolicy':'Retain'");
            cluster.createClaim("data", "kept", "1Gi", "");
            var volume = cluster.awaitVolumeOf("data");
            cluster.await(
                    "the mark is off",
                    () -> DriverCluster.mark(cluster.volumes().getFirst()).isEmpty());
            var handedOut = cluster.volumes().getFirst();
            assertEquals(Optional.of(handedOut.status().volumeId()), handedOut.formerId());
            cluster.delete(Types.PVC, claim("data"));
            cluster.await(
                    "the volume is released",
                    () ->
                            cluster.kube
                                    .get(Types.PV, volume)
                                    .text("status", "phase")
                                    .orElse("")
                                    .equals("Released"));
            cluster.delete(Types.PV, volume);
            cluster.await("its object is gone", () -> cluster.list(Types.PV).isEmpty());
            cluster.createClaim("marker", "kept", "1Gi", "");
            cluster.awaitBound("marker");
            assertEquals(2, cluster.agent.made());
        }
    }

    @Test
    @Safety(13)
    void aRetainedVolumeThatNobodyGotGoesWithItsClaim() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            refuseHandOver(cluster);
            cluster.delete(Types.PVC, claim("data"));
            cluster.awaitNothingLeft();
        }
    }

    @Test
    @Safety(13)
    void aRetainedVolumeIsNotHandedToAClaimThatOnlyTheCacheStillHas() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            refuseHandOver(cluster);
            var faults = cluster.server.faults();
            faults.answer(ProvisioningTests::readsClaim, 100_000, 500, "down");
            faults.forgetRequests();
            awaitLookAtClaim(cluster); // a try that was past its look is over
            faults.stallWatches(true);
            cluster.delete(Types.PVC, claim("data"));
            faults.forgetRequests();
            faults.clear();
            awaitLookAtClaim(cluster);
            faults.stallWatches(false);
            faults.cutWatches(); // what a stalled watch lost is sent again
            cluster.awaitNothingLeft();
        }
    }

    /** Makes a volume whose PersistentVolume the server refuses. */
    private static void refuseHandOver(DriverCluster cluster) throws Exception {
        cluster.server
                .faults()
                .answer(ProvisioningTests::writesPersistentVolume, 100_000, 500, "down");
        cluster.createClass("kept", ",'reclaimPolicy':'Retain'");
        cluster.createClaim("data", "kept", "1Gi", "");
        cluster.await(
                "the volume is to be handed out",
                () ->
                        cluster.server.faults().requests().stream()
                                .anyMatch(ProvisioningTests::writesPersistentVolume));
        assertTrue(DriverCluster.mark(cluster.volumes().getFirst()).isPresent());
    }

    private static void awaitLookAtClaim(DriverCluster cluster) throws Exception {
        cluster.await(
                "the server is asked for the claim",
                () ->
                        cluster.server.faults().requests().stream()
                                .anyMatch(ProvisioningTests::readsClaim));
    }

    private static boolean readsClaim(Seen request) {
        return reads(request, "/persistentvolumeclaims/data");
    }

    private static boolean reads(Seen request, String what) {
        return request.method().equals("GET")
                && request.target().endsWith(what)
                && request.headers().getOrDefault("user-agent", "").contains(Names.OPERATOR);
    }

    private static boolean writesPersistentVolume(Seen request) {
        return request.method().equals("POST") && request.target().contains("/persistentvolumes");
    }

    /** The operator was killed before it took the mark off, then a person kept only the data. */
    @Test
    @Safety(13)
    void aRetainedVolumeIsHandedOutAsLongAsItsClaimIsBoundToIt() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            var faults = cluster.server.faults();
            faults.answer(ProvisioningTests::takesMarkOff, 100_000, 500, "down");
            cluster.createClass("kept", ",'reclaimPolicy':'Retain'");
            cluster.createClaim("data", "kept", "1Gi", "");
            var volume = cluster.awaitVolumeOf("data");
            cluster.killOperator();
            cluster.delete(Types.PV, volume);
            cluster.patch(Types.PV, volume, "{'metadata':{'finalizers':null}}");
            cluster.await("its object is gone", () -> cluster.list(Types.PV).isEmpty());
            faults.clear();
            cluster.startOperator();
            cluster.await(
                    "the mark is off",
                    () -> DriverCluster.mark(cluster.volumes().getFirst()).isEmpty());
            cluster.requireAlive("data");
        }
    }

    private static boolean takesMarkOff(Seen request) {
        return request.method().equals("PATCH")
                && request.target().contains("/logicalvolumes/")
                && !request.target().endsWith("/status");
    }

    @Test
    void aClaimThatGotAnotherVolumeKeepsNothingOfItsOwn() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.agent.hold();
            var claim = cluster.createClaim("data", "fast", "1Gi", "");
            cluster.await("it was begun", () -> cluster.volumes().size() == 1);
            give(cluster, claim, "example.com", "theirs");
            assertEquals(
                    "by-hand", cluster.awaitBound("data").text("spec", "volumeName").orElse(""));
            cluster.agent.resume();
            cluster.await(
                    "no volume is left",
                    () -> cluster.volumes().isEmpty() && cluster.agent.made() == 0);
        }
    }

    @Test
    @Safety(13)
    void aVolumeThatAPersonHandedOutStaysThoughTheCacheOfVolumesIsBehind() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            refuseHandOver(cluster);
            var faults = cluster.server.faults();
            faults.clear();
            faults.answer(
                    request ->
                            writesPersistentVolume(request) && !request.body().contains("by-hand"),
                    100_000,
                    500,
                    "down");
            faults.answer(ProvisioningTests::followsVolumes, 100_000, 500, "down");
            faults.cutWatches();
            var volume = cluster.volumes().getFirst();
            var claim = cluster.kube.get(Types.PVC, claim("data"));
            give(cluster, claim, "topolvm.io", volume.status().volumeId());
            cluster.awaitBound("data");
            cluster.await(
                    "the mark is off",
                    () ->
                            cluster.volumes().stream()
                                    .allMatch(v -> DriverCluster.mark(v).isEmpty()));
            assertEquals(volume.uid(), cluster.volumes().getFirst().uid());
            assertEquals(GIB, cluster.agent.bytes(volume.uid()));
            assertFalse(cluster.volumes().getFirst().object().terminating());
        }
    }

    /** Does what a person may do whose claim waits for too long. */
    private static void give(DriverCluster cluster, KubeObject claim, String driver, String handle)
            throws Exception {
        cluster.create(
                Types.PV,
                "{'metadata':{'name':'by-hand'},'spec':{'storageClassName':'"
                        + claim.text("spec", "storageClassName").orElseThrow()
                        + "','accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
                        + "'persistentVolumeReclaimPolicy':'Retain','claimRef':{'apiVersion':'v1',"
                        + "'kind':'PersistentVolumeClaim','namespace':'default','name':'"
                        + claim.name()
                        + "','uid':'"
                        + claim.uid()
                        + "'},'csi':{'driver':'"
                        + driver
                        + "','volumeHandle':'"
                        + handle
                        + "'}}}");
    }

    @Test
    void fiftyClaimsAtOnceAreServedWithFewRequests() throws Exception {
        try (var cluster = DriverCluster.withNode(100 * GIB)) {
            cluster.createClass("fast", "");
            cluster.server.faults().forgetRequests();
            for (int i = 0; i < 50; i++) {
                cluster.createClaim("data-" + i, "fast", "1Gi", "");
            }
            for (int i = 0; i < 50; i++) {
                cluster.awaitBound("data-" + i);
            }
            cluster.await(
                    "every mark is off",
                    () ->
                            cluster.volumes().stream()
                                    .allMatch(v -> DriverCluster.mark(v).isEmpty()));
            assertEquals(50, cluster.agent.made());
            assertEquals(0, cluster.agent.refusals());
            var expected = new TreeMap<String, Integer>();
            expected.put("POST logicalvolumes", 50);
            expected.put("PATCH logicalvolumes", 50);
            expected.put("POST persistentvolumes", 50);
            assertEquals(expected, operatorWrites(cluster));
            cluster.server.faults().forgetRequests();
            for (int i = 0; i < 50; i++) {
                cluster.delete(Types.PVC, claim("data-" + i));
            }
            cluster.awaitNothingLeft();
            // one may be sent again while the cache does not show yet that it is being deleted
            var deleted = targets(cluster, "DELETE", "/logicalvolumes/");
            assertEquals(50, Set.copyOf(deleted).size());
            assertEquals(50, targets(cluster, "DELETE", "/persistentvolumes/").size());
            var read = targets(cluster, "GET", "/logicalvolumes/");
            assertEquals(List.of(), read, "they were seen to go");
        }
    }

    private static List<String> targets(DriverCluster cluster, String method, String path) {
        return cluster.server.faults().requests().stream()
                .filter(request -> request.method().equals(method))
                .map(Seen::target)
                .filter(target -> target.contains(path))
                .toList();
    }

    /** What only the operator writes: the binder patches volumes and claims, the agent statuses. */
    private static Map<String, Integer> operatorWrites(DriverCluster cluster) {
        var counts = new TreeMap<String, Integer>();
        for (var request : cluster.server.faults().requests()) {
            var path = request.target();
            boolean ours =
                    path.contains("/logicalvolumes") && !path.endsWith("/status")
                            || path.contains("/persistentvolumes")
                                    && request.method().equals("POST");
            if (ours && !request.method().equals("GET")) {
                var type =
                        path.contains("/logicalvolumes") ? "logicalvolumes" : "persistentvolumes";
                counts.merge(request.method() + " " + type, 1, Integer::sum);
            }
        }
        return counts;
    }

    @Test
    void parallelClaimsNeverOverbookTheNode() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            for (int i = 0; i < 30; i++) {
                cluster.createClaim("data-" + i, "fast", "1Gi", "");
            }
            cluster.await("the node is full", () -> cluster.agent.made() == 10);
            cluster.await("ten are bound", () -> bound(cluster) == 10);
            cluster.awaitEvent("ProvisioningFailed");
            assertEquals(0, cluster.agent.refusals());

            cluster.agent.enlarge("n1", 20 * GIB);
            cluster.await("all are bound", () -> bound(cluster) == 30);
            assertEquals(0, cluster.agent.refusals());
        }
    }

    private static long bound(DriverCluster cluster) throws Exception {
        return cluster.list(Types.PVC).stream()
                .filter(c -> c.text("status", "phase").orElse("").equals("Bound"))
                .count();
    }

    @Test
    void aClaimThatIsTooBigIsToldWhatIsFreeAndGivenBackToTheScheduler() throws Exception {
        try (var cluster = DriverCluster.withNode(2 * GIB)) {
            cluster.createClass("fast", WAIT);
            cluster.createClaim("data", "fast", "3Gi", "");
            select(cluster, "data", "n1");
            var text = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(text.contains("3GiB requested"), text);
            assertTrue(text.contains("node n1 has 2GiB free"), text);
            cluster.await(
                    "the scheduler has it again",
                    () ->
                            cluster.kube
                                    .get(Types.PVC, claim("data"))
                                    .annotation("volume.kubernetes.io/selected-node")
                                    .isEmpty());
            assertEquals("Pending", cluster.phase("data"));
            assertTrue(cluster.volumes().isEmpty());
        }
    }

    @Test
    void aNodeThatFailsIsAskedAgain() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.agent.hold();
            var claim = cluster.createClaim("data", "fast", "1Gi", "");
            cluster.agent.failNext("pvc-" + claim.uid(), StatusCode.INTERNAL);
            cluster.agent.resume();
            var text = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(text.contains("injected"), text);
            cluster.awaitBound("data");
            assertEquals(1, cluster.volumes().size());
            cluster.awaitCalls("Controller/CreateVolume", "Internal", 1);
            cluster.awaitCalls("Controller/CreateVolume", "OK", 1);
        }
    }

    @Test
    void aClaimDeletedWhileItsNodeIsAtWorkLeavesNothing() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.agent.hold();
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.await("it was begun", () -> cluster.volumes().size() == 1);
            cluster.delete(Types.PVC, claim("data"));
            cluster.await("the claim is gone", () -> cluster.list(Types.PVC).isEmpty());
            cluster.agent.resume();
            cluster.awaitNothingLeft();
            cluster.awaitCalls("Controller/DeleteVolume", "OK", 1);
            assertFalse(
                    cluster.page().contains("Controller/CreateVolume\",grpc"), "it never ended");
        }
    }

    @Test
    void aClaimWhoseNodeIsDeletedBeforeItMadeTheVolumeGoesToAnother() throws Exception {
        try (var cluster = DriverCluster.withNode(100 * GIB)) {
            cluster.agent.addNode("n2", 10 * GIB);
            cluster.createClass("fast", "");
            cluster.agent.hold();
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.await("it was begun", () -> cluster.volumes().size() == 1);
            var begun = cluster.volumes().getFirst();
            assertEquals("n1", begun.spec().nodeName());
            cluster.delete(Types.NODE, ObjectKey.cluster("n1"));
            cluster.await(
                    "it is given up",
                    () -> cluster.volumes().stream().anyMatch(v -> v.object().terminating()));
            cluster.agent.resume();
            cluster.awaitBound("data");
            assertEquals("n2", cluster.volumes().getFirst().spec().nodeName());
        }
    }

    @Test
    void aCloneLiesBesideItsSourceWhateverTheSchedulerChose() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.agent.addNode("n2", 100 * GIB);
            cluster.createClass("fast", WAIT);
            cluster.createClaim("source", "fast", "1Gi", "");
            select(cluster, "source", "n1");
            cluster.awaitBound("source");
            var from = ",'dataSource':{'kind':'PersistentVolumeClaim','name':'source'}";
            cluster.createClaim("copy", "fast", "2Gi", from);
            select(cluster, "copy", "n2");
            cluster.awaitBound("copy");
            var copy =
                    cluster.volumes().stream()
                            .filter(volume -> !volume.spec().source().isEmpty())
                            .findFirst()
                            .orElseThrow();
            assertEquals("n1", copy.spec().nodeName());
            assertEquals(2 * GIB, copy.bytes());

            cluster.delete(Types.PVC, claim("source"));
            cluster.delete(Types.PVC, claim("copy"));
            cluster.awaitNothingLeft();
            cluster.await(
                    "the source's protection is off", () -> cluster.list(Types.PVC).isEmpty());
        }
    }

    @Test
    void aCloneThatIsReadyIsHandedOverThoughItsSourceGrewMeanwhile() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.createClaim("source", "fast", "1Gi", "");
            var source = cluster.awaitVolumeOf("source");
            var faults = cluster.server.faults();
            faults.answer(ProvisioningTests::writesPersistentVolume, 100_000, 500, "down");
            var from = ",'dataSource':{'kind':'PersistentVolumeClaim','name':'source'}";
            cluster.createClaim("copy", "fast", "1Gi", from);
            cluster.await("the copy is ready", () -> cluster.agent.made() == 2);
            cluster.patch(
                    Types.PVC,
                    claim("source"),
                    "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
            cluster.await(
                    "the source has grown",
                    () ->
                            cluster.kube
                                    .get(Types.PV, source)
                                    .text("spec", "capacity", "storage")
                                    .orElse("")
                                    .equals("2Gi"));
            faults.clear();
            cluster.awaitBound("copy");
        }
    }

    /** The watches of two types never show the same moment. */
    @Test
    void aSourceThatIsBoundIsCopiedThoughTheCacheOfVolumesIsBehind() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.server.faults().answer(ProvisioningTests::followsVolumes, 100_000, 500, "down");
            cluster.server.faults().cutWatches();
            cluster.createClaim("source", "fast", "1Gi", "");
            cluster.awaitBound("source");
            var from = ",'dataSource':{'kind':'PersistentVolumeClaim','name':'source'}";
            cluster.createClaim("copy", "fast", "1Gi", from);
            cluster.awaitBound("copy");
            assertEquals(Optional.empty(), cluster.event("ProvisioningFailed"));
        }
    }

    private static boolean followsVolumes(Seen request) {
        return reads(request, "/persistentvolumes");
    }

    @Test
    void aClaimWithAnUnknownSourceIsLeftToItsPopulator() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            var from = ",'dataSourceRef':{'apiGroup':'example.com','kind':'Archive','name':'a'}";
            cluster.createClaim("data", "fast", "1Gi", from);
            var text = cluster.awaitEvent("Provisioning");
            assertTrue(text.contains("Archive"), text);
            assertTrue(cluster.volumes().isEmpty());
        }
    }

    /** Kubernetes deletes the volume of a claim that goes, and of no other PersistentVolume. */
    @Test
    @Safety(39)
    void aPersistentVolumeThatNoClaimHadGoesAndItsVolumeStays() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.createClaim("data", "fast", "1Gi", "");
            var handle =
                    cluster.kube
                            .get(Types.PV, cluster.awaitVolumeOf("data"))
                            .text("spec", "csi", "volumeHandle")
                            .orElseThrow();
            cluster.create(
                    Types.PV,
                    "{'metadata':{'name':'restored','finalizers':"
                            + "['external-provisioner.volume.kubernetes.io/finalizer']},"
                            + "'spec':{'storageClassName':'fast','capacity':{'storage':'1Gi'},"
                            + "'accessModes':['ReadWriteOnce'],"
                            + "'persistentVolumeReclaimPolicy':'Delete',"
                            + "'claimRef':{'namespace':'default','name':'later'},"
                            + "'csi':{'driver':'topolvm.io','volumeHandle':'"
                            + handle
                            + "'}}}");
            var restored = ObjectKey.cluster("restored");
            cluster.await(
                    "it is available",
                    () ->
                            cluster.kube
                                    .get(Types.PV, restored)
                                    .text("status", "phase")
                                    .filter("Available"::equals)
                                    .isPresent());
            cluster.delete(Types.PV, restored);
            cluster.await("it is gone", () -> cluster.kube.find(Types.PV, restored).isEmpty());
            cluster.requireAlive("data");
        }
    }

    @Test
    void aVolumeOfAnotherClaimWithThatNameIsLeftToIt() throws Exception {
        var chosen = ProvisionerSettings.DEFAULT.named("disk", 1);
        try (var cluster = DriverCluster.withNode(100 * GIB, chosen)) {
            cluster.createClass("fast", "");
            int claims = 17; // one more than there are names
            for (int i = 0; i < claims; i++) {
                cluster.createClaim("data-" + i, "fast", "1Gi", "");
            }
            var text = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(text.contains("is the volume of another claim"), text);
            cluster.await(
                    "each volume has its claim",
                    () ->
                            cluster.list(Types.PVC).stream()
                                            .filter(c -> c.text("spec", "volumeName").isPresent())
                                            .count()
                                    == cluster.volumes().size());
            var owners = new HashSet<String>();
            for (var volume : cluster.list(Types.PV)) {
                owners.add(volume.text("spec", "claimRef", "uid").orElseThrow());
                cluster.requireAlive(volume.text("spec", "claimRef", "name").orElseThrow());
            }
            assertEquals(cluster.volumes().size(), owners.size());
            assertTrue(owners.size() < claims, owners.toString());
        }
    }
}
