package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Test;

/** A claim that asks for more gets it, and its status tells kubelet and people how far it is. */
@DependsOnVersion("the stages of a resize and smaller requests came with 1.32")
class ResizingTests {
    private static final long GIB = 1L << 30;

    private static DriverCluster withClaim(String spec) throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", spec);
        cluster.awaitBound("data");
        return cluster;
    }

    private static void ask(DriverCluster cluster, String size) throws Exception {
        var patch = "{'spec':{'resources':{'requests':{'storage':'%s'}}}}".formatted(size);
        cluster.patch(Types.PVC, claim("data"), patch);
    }

    private static KubeObject data(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.PVC, claim("data"));
    }

    private static String stage(DriverCluster cluster) throws Exception {
        var data = data(cluster);
        return Servers.before(32)
                ? stageByConditions(data)
                : data.text("status", "allocatedResourceStatuses", "storage").orElse("");
    }

    /** Older servers drop the field. */
    private static String stageByConditions(KubeObject data) {
        if (data.condition("FileSystemResizePending").isPresent()) {
            return "NodeResizePending";
        }
        return data.condition("Resizing").isPresent() ? "ControllerResizeInProgress" : "";
    }

    private static long volumeBytes(DriverCluster cluster) throws Exception {
        var name = data(cluster).text("spec", "volumeName").orElseThrow();
        var volume = cluster.kube.get(Types.PV, ObjectKey.cluster(name));
        return Quantity.parse(volume.value("spec", "capacity", "storage").orElseThrow()).bytes();
    }

    @Test
    void aFilesystemIsHandedToKubelet() throws Exception {
        try (var cluster = withClaim("")) {
            ask(cluster, "2Gi");
            cluster.await("kubelet's turn", () -> stage(cluster).equals("NodeResizePending"));
            assertTrue(data(cluster).condition("FileSystemResizePending").orElseThrow().holds());
            assertTrue(data(cluster).condition("Resizing").isEmpty());
            assertEquals(2 * GIB, volumeBytes(cluster));
            assertEquals(2 * GIB, cluster.volumes().getFirst().bytes());
            cluster.awaitEvent("FileSystemResizeRequired");
        }
    }

    @Test
    void aRawDeviceIsDoneAtOnce() throws Exception {
        try (var cluster = withClaim(",'volumeMode':'Block'")) {
            ask(cluster, "2Gi");
            cluster.await(
                    "the claim has it",
                    () ->
                            data(cluster)
                                    .text("status", "capacity", "storage")
                                    .orElse("")
                                    .equals("2Gi"));
            assertEquals("", stage(cluster));
            assertTrue(
                    data(cluster)
                            .annotation("volume.kubernetes.io/node-expansion-not-required")
                            .isPresent());
            cluster.awaitEvent("VolumeResizeSuccessful");
        }
    }

    @Test
    void aFailureOfTheNodeIsToldAndTriedAgain() throws Exception {
        try (var cluster = withClaim("")) {
            cluster.agent.failNext(cluster.volumes().getFirst().name(), StatusCode.INTERNAL);
            ask(cluster, "2Gi");
            var text = cluster.awaitEvent("VolumeResizeFailed");
            assertTrue(text.contains("injected"), text);
            cluster.await("the next try worked", () -> stage(cluster).equals("NodeResizePending"));
            assertTrue(data(cluster).condition("ControllerResizeError").isEmpty());
        }
    }

    @Test
    void moreThanThereIsChangesNothing() throws Exception {
        try (var cluster = withClaim("")) {
            ask(cluster, "20Gi");
            var text = cluster.awaitEvent("VolumeResizeFailed");
            assertTrue(text.contains("19GiB more requested"), text);
            assertTrue(text.contains("9GiB free"), text);
            assertEquals(GIB, cluster.volumes().getFirst().spec().size().bytes());
            assertEquals("ControllerResizeInProgress", stage(cluster));
        }
    }

    @Test
    void moreThanThereIsCanBeTakenBack() throws Exception {
        assumeFalse(Servers.before(32), "no claim can ask for less than before until 1.32");
        try (var cluster = withClaim("")) {
            ask(cluster, "20Gi");
            cluster.awaitEvent("VolumeResizeFailed");
            ask(cluster, "2Gi");
            cluster.await("kubelet's turn", () -> stage(cluster).equals("NodeResizePending"));
            assertEquals(2 * GIB, volumeBytes(cluster));
            assertEquals(2 * GIB, cluster.volumes().getFirst().spec().size().bytes());
        }
    }

    @Test
    void aRestartInTheMiddleFinishes() throws Exception {
        try (var cluster = withClaim("")) {
            cluster.agent.hold();
            ask(cluster, "2Gi");
            cluster.await(
                    "it was begun",
                    () -> cluster.volumes().getFirst().spec().size().bytes() == 2 * GIB);
            cluster.killOperator();
            cluster.agent.resume();
            cluster.startOperator();
            cluster.await("kubelet's turn", () -> stage(cluster).equals("NodeResizePending"));
            assertEquals(2 * GIB, volumeBytes(cluster));
        }
    }

    @Test
    void podsThatUseTheClaimAreTouchedToWakeKubelet() throws Exception {
        try (var cluster = withClaim("")) {
            cluster.create(
                    Types.POD,
                    "{'metadata':{'namespace':'default','name':'p'},'spec':{'containers':[{'name':"
                            + "'c','image':'i'}],'volumes':[{'name':'v','persistentVolumeClaim':"
                            + "{'claimName':'data'}}]}}");
            ask(cluster, "2Gi");
            cluster.await(
                    "the pod is touched",
                    () ->
                            cluster.kube
                                    .get(Types.POD, claim("p"))
                                    .annotation("topolvm.io/last-resizefs-requested-at")
                                    .isPresent());
        }
    }
}
