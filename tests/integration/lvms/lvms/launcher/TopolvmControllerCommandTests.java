package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.csi.SocketChannel;
import lvms.deploy.Patience;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults.Seen;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** {@code topolvm-controller} as TopoLVM's chart starts it: socket, ports, election, end. */
@Timeout(120)
class TopolvmControllerCommandTests {
    private static final ObjectKey LEASE = ObjectKey.of("topolvm-system", "topolvm");

    private static int freePort() throws Exception {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static int get(int port, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (ConnectException e) {
            return 0;
        }
    }

    private static void prepare(KubeClient kube) throws Exception {
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        var namespace = ObjectKey.cluster(LEASE.namespace());
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var driver = ObjectKey.cluster("topolvm.io");
        kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, driver).with(false, "spec", "attachRequired"));
    }

    @Test
    void servesWhatTheSidecarsAndKubeletAskFor(@TempDir Path folder) throws Exception {
        try (ApiServer server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test")) {
            prepare(kube);
            int health = freePort();
            int metrics = freePort();
            var socket = folder.resolve("csi.sock");
            var environment = Map.of("KUBECONFIG", server.kubeconfig(folder).toString());
            try (var program =
                    Program.start(
                            folder,
                            "topolvm-controller",
                            environment,
                            "--csi-socket=" + socket,
                            "--leader-election-namespace=topolvm-system",
                            "--health-probe-bind-address=127.0.0.1:" + health,
                            "--metrics-bind-address=127.0.0.1:" + metrics,
                            "--webhook-addr=127.0.0.1:0",
                            "--cert-dir=" + folder.resolve("certs"))) {
                program.says("topolvm-controller serves driver=topolvm.io");
                Patience.until("healthz answers", () -> get(health, "/healthz") == 200);
                Patience.until("volumes are ready", () -> get(health, "/readyz/volumes") == 200);
                assertEquals(
                        500, get(health, "/readyz"), "there is no certificate for the webhook");
                assertEquals(200, get(metrics, "/metrics"));
                askOver(socket);
                Patience.until("it leads", () -> kube.find(Types.LEASE, LEASE).isPresent());
                assertEquals(0, program.end());
                assertTrue(!Files.exists(socket), "the socket is gone");
            }
        }
    }

    /** Neither during an upgrade nor a rollback do two provisioners work. */
    @Test
    void withoutSidecarsItWaitsForThoseThatAreStillThere(@TempDir Path folder) throws Exception {
        try (ApiServer server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test")) {
            prepare(kube);
            var old = hold(kube, "external-resizer-topolvm-io");
            int health = freePort();
            var environment = Map.of("KUBECONFIG", server.kubeconfig(folder).toString());
            try (var program =
                    Program.start(
                            folder,
                            "topolvm-controller",
                            environment,
                            "--own-sidecars",
                            "--csi-socket=" + folder.resolve("csi.sock"),
                            "--leader-election-namespace=topolvm-system",
                            "--health-probe-bind-address=127.0.0.1:" + health,
                            "--metrics-bind-address=0",
                            "--enable-webhooks=false")) {
                Patience.until("healthz answers", () -> get(health, "/healthz/csi") == 200);
                Patience.until("the first is held", () -> holds(kube, "topolvm-io"));
                assertFalse(holds(kube, "external-snapshotter-leader-topolvm-io"));
                kube.delete(Types.LEASE, old.key(), DeleteOptions.any());
                Patience.until(
                        "all are held",
                        () ->
                                holds(kube, "external-resizer-topolvm-io")
                                        && holds(kube, "external-snapshotter-leader-topolvm-io"));
                assertEquals(0, program.end(), program.log());
                assertFalse(holds(kube, "topolvm-io"), "they are released");
                requireRightsOfTheChart(server);
            }
        }
    }

    /** Its role for Leases holds in the namespace alone, and allows get, create and update. */
    private static void requireRightsOfTheChart(ApiServer server) {
        var leases = "/apis/coordination.k8s.io/v1/namespaces/topolvm-system/leases";
        var seen =
                server.faults().requests().stream()
                        .filter(r -> r.target().contains("/leases"))
                        .filter(r -> r.headers().get("user-agent").startsWith("topolvm-controller"))
                        .toList();
        assertTrue(seen.stream().allMatch(r -> r.target().startsWith(leases)), seen.toString());
        var methods = seen.stream().map(Seen::method).collect(Collectors.toSet());
        assertEquals(Set.of("GET", "POST", "PUT"), methods);
    }

    private static KubeObject hold(KubeClient kube, String lease) throws Exception {
        var now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        return kube.create(
                Types.LEASE,
                KubeObject.create(Types.LEASE, ObjectKey.of(LEASE.namespace(), lease))
                        .with("a-sidecar", "spec", "holderIdentity")
                        .with(3600, "spec", "leaseDurationSeconds")
                        .with(now.toString(), "spec", "acquireTime")
                        .with(now.toString(), "spec", "renewTime"));
    }

    private static boolean holds(KubeClient kube, String lease) throws Exception {
        return kube.find(Types.LEASE, ObjectKey.of(LEASE.namespace(), lease))
                .flatMap(object -> object.text("spec", "holderIdentity"))
                .filter(holder -> !holder.isEmpty() && !holder.equals("a-sidecar"))
                .isPresent();
    }

    private static void askOver(Path socket) throws Exception {
        try (var channel = new SocketChannel(socket)) {
            var identity =
                    IdentityGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(30, TimeUnit.SECONDS);
            assertEquals(
                    "topolvm.io",
                    identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName());
            var probe = ProbeRequest.getDefaultInstance();
            Patience.until("the probe is ready", () -> identity.probe(probe).getReady().getValue());
        }
    }
}
