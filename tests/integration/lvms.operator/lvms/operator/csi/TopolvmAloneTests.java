package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.POD;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.deploy.Roles;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.operator.NodeSettings;
import lvms.operator.ProvisionerSettings;
import lvms.operator.TopolvmController;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SizeRules;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * TopoLVM's controller without sidecars gives a claim its volume, lets it grow, snapshots and
 * restores it, tells the capacity, and removes it, with the rights of its file and no LVMCluster.
 */
@Timeout(120)
class TopolvmAloneTests {
    private static final String NAME = "topolvm-controller";
    private static final Path ROLES = Path.of("tests/integration/topolvm-alone-roles.yaml");
    private static final long GIB = 1L << 30;

    @TempDir Path folder;
    private DriverCluster cluster;
    private KubeClient kube;
    private EventRecorder events;
    private TopolvmController controller;
    private MetricsRegistry metrics;

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster();
        cluster.agent.addNode("n1", 10 * GIB);
        cluster.kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(Driver.TOPOLVM.name()))
                        .with(false, "spec", "attachRequired"));
        kube = KubeClient.open(cluster.server.config(), NAME).withFieldManager(NAME);
        events = EventRecorder.open(kube, NAME, "test");
        controller = controller(new TopolvmController.Alone(POD, ProvisionerSettings.DEFAULT));
        controller.serve();
    }

    private TopolvmController controller(TopolvmController.Alone alone) {
        metrics = new MetricsRegistry();
        return new TopolvmController(
                kube,
                kube,
                OperatorInformers.of(kube, Drivers.DEFAULT, POD.namespace()),
                new TopolvmController.Settings(
                        Driver.TOPOLVM,
                        SizeRules.DEFAULT,
                        "test",
                        folder.resolve("csi.sock"),
                        true,
                        Optional.of(alone)),
                events,
                metrics);
    }

    @AfterEach
    void stop() throws Exception {
        controller.close();
        events.close();
        kube.close();
        var seen = cluster.server.faults().requests();
        cluster.close();
        Roles.requireAllowed(seen, NAME, ROLES);
    }

    @Test
    void doesTheWorkOfAllSidecars() throws Exception {
        controller.lead();
        cluster.createClass("fast", ",'volumeBindingMode':'WaitForFirstConsumer'");
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.io','deletionPolicy':'Delete'}");
        cluster.await(
                "the capacity is published",
                () ->
                        cluster.list(Types.CSI_STORAGE_CAPACITY).stream()
                                .anyMatch(c -> c.text("capacity").equals(Optional.of("10Gi"))));
        claim("data", "");
        cluster.patch(
                Types.PVC,
                DriverCluster.claim("data"),
                "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
        cluster.await("it grew", () -> cluster.agent.bytes(uid("data")) == 2 * GIB);
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'default','name':'snap'},'spec':{"
                        + "'volumeSnapshotClassName':'snaps','source':{"
                        + "'persistentVolumeClaimName':'data'}}}");
        claim(
                "copy",
                ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
                        + "'name':'snap'}");
        cluster.delete(Types.VOLUME_SNAPSHOT, DriverCluster.claim("snap"));
        cluster.delete(Types.PVC, DriverCluster.claim("copy"));
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        cluster.awaitNothingLeft();
        for (var call :
                List.of(
                        "CreateVolume",
                        "ControllerExpandVolume",
                        "CreateSnapshot",
                        "DeleteSnapshot",
                        "DeleteVolume")) {
            var series =
                    "\ncsi_sidecar_operations_seconds_bucket{driver_name=\"topolvm.io\","
                            + "method_name=\"/csi.v1.Controller/%s\",grpc_status_code=\"OK\","
                            + "le=\"600\"} ";
            cluster.await(call, () -> scraped().contains(series.formatted(call)));
        }
    }

    /** As Prometheus reads it. */
    private String scraped() throws Exception {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var server = HealthServer.metrics(loopback, metrics);
                var client = HttpClient.newHttpClient()) {
            var url = URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics");
            var request = HttpRequest.newBuilder(url).build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    /**
     * As TopoLVM's chart leaves out csi-snapshotter, and external-provisioner's --enable-capacity.
     */
    @Test
    void whatIsTurnedOffIsNeitherDoneNorAskedFor() throws Exception {
        controller.close();
        controller =
                controller(
                        new TopolvmController.Alone(
                                POD, ProvisionerSettings.DEFAULT, false, false, NodeSettings.NONE));
        controller.serve();
        controller.lead();
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.awaitBound("data");
        var asked =
                cluster.server.faults().requests().stream()
                        .filter(r -> r.headers().getOrDefault("user-agent", "").equals(NAME))
                        .map(Seen::target)
                        .filter(
                                t ->
                                        t.matches(
                                                ".*(csistoragecapacities|customresource|snapshot).*"))
                        .toList();
        assertEquals(List.of(), asked);
    }

    /** A replica that does not lead changes nothing, but its socket answers. */
    @Test
    void whoDoesNotLeadDoesNoWork() throws Exception {
        cluster.await("it is ready", controller::ready);
        assertTrue(controller.answers());
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        assertEquals(0, cluster.volumes().size());
        controller.lead();
        cluster.awaitBound("data");
    }

    private void claim(String name, String source) throws Exception {
        cluster.createClaim(name, "fast", source.isEmpty() ? "1Gi" : "2Gi", source);
        cluster.patch(
                Types.PVC,
                DriverCluster.claim(name),
                "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'n1'}}}");
        cluster.awaitBound(name);
    }

    private String uid(String claim) throws Exception {
        var volume = ObjectKey.cluster(cluster.awaitVolumeOf(claim).name());
        return cluster.kube.get(Driver.TOPOLVM.logicalVolumes(), volume).uid();
    }
}
