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
import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;
import lvms.k8s.yaml.Yaml;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** {@code topolvm-controller} as TopoLVM's chart starts it: socket, ports, election, end. */
@Timeout(120)
@Lasts(seconds = 35)
class TopolvmControllerCommandTests {
    private static final ObjectKey LEASE = ObjectKey.of("topolvm-system", "topolvm");

    @TempDir private Path folder;
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void prepare() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        var namespace = ObjectKey.cluster(LEASE.namespace());
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var driver = ObjectKey.cluster("topolvm.io");
        kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, driver).with(false, "spec", "attachRequired"));
    }

    @AfterEach
    void end() throws Exception {
        kube.close();
        server.close();
    }

    /** Starts it with what all tests have in common, and these flags. */
    private Program start(String... flags) throws Exception {
        var words = new ArrayList<>(List.of("--csi-socket=" + socket()));
        words.add("--leader-election-namespace=" + LEASE.namespace());
        words.addAll(List.of(flags));
        return Program.start(
                folder,
                "topolvm-controller",
                Map.of("KUBECONFIG", server.kubeconfig(folder).toString()),
                words.toArray(String[]::new));
    }

    private Path socket() {
        return folder.resolve("csi.sock");
    }

    private static int get(int port, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (ConnectException e) {
            return 0;
        }
    }

    @Test
    void servesWhatTheSidecarsAndKubeletAskFor() throws Exception {
        int health = Program.freePort();
        int metrics = Program.freePort();
        try (var program =
                start(
                        "--health-probe-bind-address=127.0.0.1:" + health,
                        "--metrics-bind-address=127.0.0.1:" + metrics,
                        "--webhook-addr=127.0.0.1:0",
                        "--cert-dir=" + folder.resolve("certs"))) {
            program.says("topolvm-controller serves driver=topolvm.io");
            Patience.until("healthz answers", () -> get(health, "/healthz") == 200);
            Patience.until("volumes are ready", () -> get(health, "/readyz/volumes") == 200);
            assertEquals(500, get(health, "/readyz"), "there is no certificate for the webhook");
            assertEquals(200, get(metrics, "/metrics"));
            askOver(socket());
            Patience.until("it leads", () -> kube.find(Types.LEASE, LEASE).isPresent());
            assertEquals(0, program.end());
            assertTrue(!Files.exists(socket()), "the socket is gone");
        }
    }

    /** A webhook that loses a call refuses a pod, and kube-apiserver calls for many at once. */
    @Test
    void aBurstOfPodsIsAnsweredFromWhatIsKnown() throws Exception {
        kube.create(
                Types.STORAGE_CLASS,
                KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster("fast"))
                        .with("topolvm.io", "provisioner"));
        kube.create(
                Types.PVC,
                KubeObject.of(
                        Yaml.read(
                                        "{apiVersion: v1, kind: PersistentVolumeClaim,"
                                                + " metadata: {name: data, namespace: default},"
                                                + " spec: {storageClassName: fast, accessModes:"
                                                + " [ReadWriteOnce], resources: {requests:"
                                                + " {storage: 1Gi}}}, status: {phase: Pending}}")
                                .asObject()));
        var authority = Authority.make("tests", Duration.ofDays(30));
        var certificates = Files.createDirectories(folder.resolve("certs"));
        authority.server("hook", List.of("localhost"), List.of()).save(certificates, "tls");
        int health = Program.freePort();
        int webhook = Program.freePort();
        try (var program =
                        start(
                                "--health-probe-bind-address=127.0.0.1:" + health,
                                "--metrics-bind-address=0",
                                "--webhook-addr=127.0.0.1:" + webhook,
                                "--cert-dir=" + certificates);
                var client = trusting(authority)) {
            Patience.until("it is ready", () -> get(health, "/readyz") == 200);
            Patience.until(
                    "the claim is known",
                    () -> {
                        long reads = readsOfTheClaim(server);
                        burst(client, webhook, 1);
                        return reads == readsOfTheClaim(server);
                    });
            long before = readsOfTheClaim(server);
            var answers = burst(client, webhook, 200);
            assertEquals(List.of(), answers.stream().filter(a -> !isPatch(a)).toList());
            assertEquals(before, readsOfTheClaim(server), "all know it from the cache");
            assertEquals(0, program.end());
        }
    }

    private static HttpClient trusting(Authority authority) throws Exception {
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trust)
                .build();
    }

    private static long readsOfTheClaim(ApiServer server) {
        return server.faults().requests().stream()
                .filter(r -> r.target().endsWith("/persistentvolumeclaims/data"))
                .filter(r -> r.method().equals("GET"))
                .count();
    }

    private static boolean isPatch(String answer) {
        return answer.startsWith("200 ") && answer.contains("\"patchType\":\"JSONPatch\"");
    }

    private static List<String> burst(HttpClient client, int port, int reviews) throws Exception {
        var review =
                """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
                 "uid": "1", "operation": "CREATE", "namespace": "default", "object": {
                 "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {
                 "containers": [{"name": "c", "image": "x"}], "volumes": [
                 {"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}}}}
                """;
        var request =
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/pod/mutate"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(review))
                        .build();
        var sent =
                IntStream.range(0, reviews)
                        .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
                        .toList();
        var answers = new ArrayList<String>();
        for (var each : sent) {
            var answer =
                    each.handle((a, e) -> e == null ? a.statusCode() + " " + a.body() : "" + e);
            answers.add(answer.get());
        }
        return answers;
    }

    /** With the switch, /metrics is for those alone whom the API server lets read it. */
    @Test
    @OursAlone("a real server does not know the tokens that this one issues")
    void secureMetricsAreServedToWhoeverMayReadThem() throws Exception {
        int metrics = Program.freePort();
        try (var program =
                start(
                        "--health-probe-bind-address=0",
                        "--metrics-bind-address=127.0.0.1:" + metrics,
                        "--secure-metrics-server",
                        "--enable-webhooks=false")) {
            program.says("topolvm-controller serves driver=topolvm.io");
            assertTrue(page(metrics, "").startsWith("HTTP/1.1 401"), "without a token");
            var text = page(metrics, server.issueToken("prometheus", "system:masters"));
            assertTrue(text.startsWith("HTTP/1.1 200"), text);
            assertTrue(text.contains("\nprocess_start_time_seconds "), text);
            assertEquals(0, program.end());
        }
    }

    /** Nobody can check the certificate that the process makes, as with controllers' own pages. */
    private static String page(int port, String token) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        try (var socket =
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            var request =
                    "GET /metrics HTTP/1.1\r\n"
                            + "Connection: close\r\n"
                            + "Authorization: Bearer %s\r\n\r\n";
            socket.getOutputStream()
                    .write(request.formatted(token).getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Neither during an upgrade nor a rollback do two provisioners work. */
    @Test
    void withoutSidecarsItWaitsForThoseThatAreStillThere() throws Exception {
        var old = hold(kube, "external-resizer-topolvm-io");
        int health = Program.freePort();
        try (var program =
                start(
                        "--own-sidecars",
                        "--health-probe-bind-address=127.0.0.1:" + health,
                        "--metrics-bind-address=0",
                        "--enable-webhooks=false")) {
            Patience.until("healthz answers", () -> get(health, "/healthz/csi") == 200);
            Patience.until(
                    "those that nobody holds are held",
                    () ->
                            holds(kube, "topolvm-io")
                                    && holds(kube, "external-snapshotter-leader-topolvm-io"));
            assertFalse(holds(kube, "external-resizer-topolvm-io"));
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
