package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.csi.SocketChannel;
import lvms.deploy.Roles;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.k8s.tree.ListTree;
import lvms.operator.TopolvmController;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SizeRules;
import lvms.proto.csi.v1.CapacityRange;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ControllerGrpc.ControllerBlockingStub;
import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.DeleteVolumeRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The controller that stands beside the standard sidecars does TopoLVM's work with no more rights
 * than TopoLVM's chart gives, and none of the sidecars' work.
 */
@Timeout(120)
class TopolvmControllerTests {
    private static final String NAME = "topolvm-controller";
    private static final Path ROLES = Path.of("tests/integration/topolvm-controller-roles.yaml");
    private static final ObjectKey CSI_DRIVER = ObjectKey.cluster(Driver.TOPOLVM.name());
    private static final long MIB = 1L << 20;

    @TempDir Path folder;
    private DriverCluster cluster;
    private KubeClient kube;
    private EventRecorder events;
    private TopolvmController controller;
    private SocketChannel channel;
    private final MetricsRegistry metrics = new MetricsRegistry();

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster();
        cluster.agent.addNode("n1", 1024 * MIB);
        kube = KubeClient.open(cluster.server.config(), NAME).withFieldManager(NAME);
        events = EventRecorder.open(cluster.kube, NAME, "test");
    }

    private void begin(boolean withDriver) throws Exception {
        if (withDriver) {
            cluster.kube.create(
                    Types.CSI_DRIVER,
                    KubeObject.create(Types.CSI_DRIVER, CSI_DRIVER)
                            .with(false, "spec", "attachRequired"));
        }
        var socket = folder.resolve("csi.sock");
        controller =
                new TopolvmController(
                        kube,
                        kube,
                        OperatorInformers.of(kube, Drivers.DEFAULT, "topolvm-system"),
                        new TopolvmController.Settings(
                                Driver.TOPOLVM,
                                new SizeRules(16 * MIB, Map.of("xfs", 64 * MIB)),
                                "test",
                                socket,
                                true,
                                Optional.empty()),
                        events,
                        metrics);
        controller.serve();
        cluster.await("it is ready", controller::ready);
        channel = new SocketChannel(socket);
    }

    @AfterEach
    void stop() throws Exception {
        if (controller != null) {
            channel.close();
            controller.close();
        }
        events.close();
        kube.close();
        var seen =
                cluster.server.faults().requests().stream()
                        .filter(request -> !isRefusedPatch(request))
                        .toList();
        cluster.close();
        Roles.requireAllowed(seen, NAME, ROLES);
    }

    /** TopoLVM's role lets its controller update claims and pods, not patch them. */
    private static boolean isRefusedPatch(Seen seen) {
        boolean refused =
                seen.target().contains("/persistentvolumeclaims/")
                        || seen.target().contains("/pods/");
        return seen.method().equals("PATCH")
                && refused
                && seen.headers().getOrDefault("user-agent", "").equals(NAME);
    }

    private ControllerBlockingStub calls() {
        return ControllerGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private boolean probe() {
        return IdentityGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .probe(ProbeRequest.getDefaultInstance())
                .getReady()
                .getValue();
    }

    private static CreateVolumeRequest volume(String name, VolumeCapability.Builder access) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(MIB))
                .putParameters("topolvm.io/device-class", "ssd")
                .addVolumeCapabilities(
                        access.setAccessMode(
                                AccessMode.newBuilder()
                                        .setMode(AccessMode.Mode.SINGLE_NODE_WRITER)))
                .build();
    }

    private static VolumeCapability.Builder mount(String type) {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(type));
    }

    @Test
    void sidecarsGetVolumesOfTheSizesOfTheFlags() throws Exception {
        begin(true);
        var block =
                VolumeCapability.newBuilder()
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
        var raw = calls().createVolume(volume("pvc-raw", block)).getVolume();
        assertEquals(16 * MIB, raw.getCapacityBytes());
        var xfs = calls().createVolume(volume("pvc-xfs", mount("xfs"))).getVolume();
        assertEquals(64 * MIB, xfs.getCapacityBytes());
        var ext4 = calls().createVolume(volume("pvc-ext4", mount("ext4"))).getVolume();
        assertEquals(FakeAgent.EXTENT, ext4.getCapacityBytes(), "no minimum was set for it");
        for (var made : List.of(raw, xfs, ext4)) {
            calls().deleteVolume(
                            DeleteVolumeRequest.newBuilder()
                                    .setVolumeId(made.getVolumeId())
                                    .build());
        }
        assertEquals(0, cluster.agent.made());
        assertTrue(metrics.text().contains("csi_plugin_operations_seconds_count{"));
        assertFalse(metrics.text().contains("csi_sidecar_"), "the sidecars have it themselves");
        cluster.await("the probe is ready", this::probe);
    }

    @Test
    void sidecarsGetTheOptionsOfMkfsForTheNode() throws Exception {
        begin(true);
        var key = "lvms.topolvm.io/mkfs-options";
        var asked = volume("pvc-xfs", mount("xfs")).toBuilder();
        var made = calls().createVolume(asked.putParameters(key, "-b size=1024").build());
        assertEquals("-b size=1024", made.getVolume().getVolumeContextOrThrow(key));
        var wrong = asked.setName("pvc-wrong").putParameters(key, "-i 4096").build();
        var refused = assertThrows(StatusRuntimeException.class, () -> calls().createVolume(wrong));
        assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    }

    @Test
    void theProbeSaysThatThereIsNoCsiDriver() throws Exception {
        begin(false);
        cluster.await(
                "the first look is over", () -> code().equals(Status.Code.FAILED_PRECONDITION));
    }

    private Status.Code code() {
        try {
            probe();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    @Test
    void claimsAreLeftToTheProvisioner() throws Exception {
        begin(true);
        refusePatches();
        controller.lead();
        cluster.createClass("fast", "");
        var old =
                ListTree.ofTexts(
                        List.of(
                                "topolvm.cybozu.com/pvc",
                                "topolvm.io/pvc",
                                "keep.example.com/it",
                                "topolvm.io/pvc"));
        cluster.kube.create(
                Types.PVC,
                cluster.createClaim("first", "fast", "1Gi", "")
                        .without("metadata", "resourceVersion")
                        .without("metadata", "uid")
                        .with("second", "metadata", "name")
                        .with(old, "metadata", "finalizers"));
        cluster.await(
                "the obsolete finalizers are gone",
                () -> finalizersOf("second").stream().noneMatch(name -> name.endsWith("/pvc")));
        assertTrue(finalizersOf("second").contains("keep.example.com/it"));
        assertEquals(List.of(), cluster.volumes());
    }

    private void refusePatches() {
        cluster.server
                .faults()
                .answer(
                        TopolvmControllerTests::isRefusedPatch,
                        100,
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                                + "\"reason\":\"Forbidden\",\"code\":403,\"message\":\"no\"}");
    }

    /** Whichever of the claim and its StorageClass is seen first. */
    @Test
    void kubeletIsWokenWhenAFilesystemHasToGrow() throws Exception {
        begin(true);
        refusePatches();
        controller.lead();
        cluster.createClaim("grows", "fast", "1Gi", "");
        cluster.create(Types.NAMESPACE, "{'metadata':{'name':'other'}}");
        createUser("other");
        createUser("default");
        cluster.kube.mergePatchStatus(
                Types.PVC,
                DriverCluster.claim("grows"),
                DriverCluster.object(
                        "{'status':{'conditions':[{'type':'FileSystemResizePending',"
                                + "'status':'True',"
                                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}"));
        cluster.createClass("fast", "");
        var key = Driver.TOPOLVM.filesystemResizeRequestedAnnotation();
        var pod = ObjectKey.of("default", "user");
        cluster.await(
                "the pod is annotated",
                () -> cluster.kube.get(Types.POD, pod).annotation(key).isPresent());
        var ofAnotherClaim = cluster.kube.get(Types.POD, ObjectKey.of("other", "user"));
        assertEquals(Optional.empty(), ofAnotherClaim.annotation(key));
    }

    /** Creates a pod that uses the claim {@code grows} of its namespace. */
    private void createUser(String namespace) throws Exception {
        cluster.create(
                Types.POD,
                "{'metadata':{'namespace':'"
                        + namespace
                        + "','name':'user'},'spec':{'containers':"
                        + "[{'name':'c','image':'x'}],'volumes':[{'name':'v',"
                        + "'persistentVolumeClaim':{'claimName':'grows'}}]}}");
    }

    private List<String> finalizersOf(String claim) throws Exception {
        return cluster.kube.get(Types.PVC, DriverCluster.claim(claim)).finalizers();
    }

    @Test
    void theVolumesOfADeletedNodeGoWithIt() throws Exception {
        begin(true);
        var made = calls().createVolume(volume("pvc-1", mount("xfs"))).getVolume();
        assertTrue(!made.getVolumeId().isEmpty());
        var node = cluster.kube.get(Types.NODE, ObjectKey.cluster("n1"));
        cluster.kube.addFinalizer(Types.NODE, node, Driver.TOPOLVM.nodeFinalizer());
        controller.lead();
        cluster.delete(Types.NODE, ObjectKey.cluster("n1"));
        cluster.await(
                "node and volume are gone",
                () ->
                        cluster.volumes().isEmpty()
                                && cluster.kube
                                        .find(Types.NODE, ObjectKey.cluster("n1"))
                                        .isEmpty());
    }
}
