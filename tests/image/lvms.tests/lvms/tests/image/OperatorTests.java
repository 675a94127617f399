package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.csi.SocketChannel;
import lvms.k8s.client.Await;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.tests.training.Cluster;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The image's operator serves on a socket and over HTTP, and ends when it is told to. */
@Timeout(120)
class OperatorTests {
    private static final long END_SECONDS = Await.longer(Duration.ofSeconds(5)).toSeconds();

    @TempDir private Path scratch;
    private final HttpClient http = HttpClient.newHttpClient();
    private Path socket;
    private Image image;
    private Cluster cluster;
    private int port;
    private Process operator;

    @BeforeEach
    void open() throws Exception {
        image = new Image(scratch);
        cluster = Cluster.start();
        socket = scratch.resolve("csi/csi.sock");
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void close() throws Exception {
        if (operator != null) {
            operator.destroyForcibly().waitFor();
        }
        cluster.close();
        http.close();
    }

    private List<String> words(String... more) throws IOException {
        var words =
                image.launcher(
                        "lvms-operator",
                        "--csi-socket=" + socket,
                        "--health-probe-bind-address=127.0.0.1:" + port);
        words.addAll(List.of(more));
        return words;
    }

    /** The path of the AOT cache replaced by another file. */
    private static List<String> withCache(List<String> words, Path cache) {
        var changed = new ArrayList<>(words);
        changed.replaceAll(w -> w.startsWith("-XX:AOTCache=") ? "-XX:AOTCache=" + cache : w);
        assertFalse(words.equals(changed), "there was a cache to replace");
        return changed;
    }

    private void startAndAwaitReady(List<String> words) throws IOException {
        operator = image.start(cluster.environment(Cluster.NAMESPACE), words);
        Await.until("readyz says 200", () -> ended() || readiness() == 200);
        assertTrue(operator.isAlive(), image.errors());
    }

    private boolean ended() {
        return !operator.isAlive();
    }

    private int readiness() {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"));
        try {
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0; // nobody listens yet
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String pluginName() {
        try (var channel = new SocketChannel(socket)) {
            return IdentityGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                    .getName();
        }
    }

    private void terminate() throws Exception {
        operator.destroy();
        assertTrue(operator.waitFor(END_SECONDS, TimeUnit.SECONDS), "still alive");
        assertEquals(0, operator.exitValue(), image.errors());
        assertFalse(Files.exists(socket), "the socket was left");
        assertFalse(image.errors().contains("Exception"), image.errors());
    }

    @Test
    void servesItsSocketAndEndsOnSigtermWithoutLeavingAnything() throws Exception {
        startAndAwaitReady(words());
        assertEquals("topolvm.io", pluginName());
        terminate();
        assertEquals(List.of(), image.litter(), "files where nobody asked for them");
    }

    @Test
    void givesTheLeaseAwayWhenItEnds() throws Exception {
        startAndAwaitReady(words("--leader-elect"));
        Await.until("it leads and serves", () -> ended() || Files.exists(socket));
        terminate();
        var leases = cluster.client().list(Types.LEASE, ListOptions.all()).items();
        assertEquals(1, leases.size());
        assertEquals("", leases.getFirst().text("spec", "holderIdentity").orElse(""));
    }

    @Test
    void aStandbyIsReadyAndTakesOverWhenTheLeaderGivesTheLeaseAway() throws Exception {
        var key = ObjectKey.of(Cluster.NAMESPACE, "1136b8a6.topolvm.io");
        var lease = KubeObject.create(Types.LEASE, key);
        cluster.client()
                .withFieldManager("another")
                .create(
                        Types.LEASE,
                        lease.with("another", "spec", "holderIdentity")
                                .with(3600, "spec", "leaseDurationSeconds"));
        startAndAwaitReady(words("--leader-elect"));
        assertFalse(Files.exists(socket), "a standby serves");
        cluster.client()
                .withFieldManager("another")
                .mergePatch(
                        Types.LEASE,
                        key,
                        Json.parse("{\"spec\":{\"holderIdentity\":\"\"}}").asObject());
        Await.until("it leads and serves", () -> ended() || Files.exists(socket));
        Await.until("readyz says 200", () -> ended() || readiness() == 200);
        terminate();
    }

    @Test
    void startsWithoutItsCache() throws Exception {
        startAndAwaitReady(withCache(words(), scratch.resolve("missing.aot")));
        terminate();
    }

    @Test
    void startsWithACorruptCache() throws Exception {
        var cache = Files.write(scratch.resolve("corrupt.aot"), new byte[64 * 1024]);
        startAndAwaitReady(withCache(words(), cache));
        terminate();
    }
}
