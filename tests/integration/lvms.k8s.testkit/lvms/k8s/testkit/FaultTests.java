package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** The server can be broken in the ways that clients must survive. */
class FaultTests {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private ApiServer server;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void answersACodeAsOftenAsAsked() {
        server.faults().answer(r -> r.method().equals("GET"), 2, 429, "slow down", "1");
        assertEquals(429, get().statusCode());
        assertEquals("1", get().headers().firstValue("Retry-After").orElseThrow());
        assertEquals(200, client.get(MAPS).code());
    }

    private java.net.http.HttpResponse<java.io.InputStream> get() {
        try {
            return client.stream(MAPS);
        } catch (java.io.IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWriteThatIsCutAfterwardsWasDone() {
        server.faults().cutAfter(r -> r.method().equals("POST"), 1);
        assertThrows(
                UncheckedIOException.class, () -> client.post(MAPS, "{'metadata':{'name':'a'}}"));
        assertEquals(200, client.get(MAPS + "/a").code());
    }

    @Test
    void aWriteThatIsCutBeforeWasNotDone() {
        server.faults().cutBefore(r -> r.method().equals("POST"), 1);
        assertThrows(
                UncheckedIOException.class, () -> client.post(MAPS, "{'metadata':{'name':'a'}}"));
        assertEquals(404, client.get(MAPS + "/a").code());
    }

    @Test
    void aBodyCanBeCut() {
        server.faults().cutBody(r -> r.method().equals("GET"), 1, 10);
        assertThrows(UncheckedIOException.class, () -> client.get(MAPS));
        assertEquals(200, client.get(MAPS).code());
    }

    @Test
    void requestsAndBodiesCanStall() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'a'}}");
        var faults = server.faults();
        faults.stall(r -> r.method().equals("GET"), 1);
        faults.stallBody(r -> r.method().equals("GET"), 1, 10);
        var options = ClientOptions.of("t").attemptDeadline(Duration.ofSeconds(2));
        try (var kube = KubeClient.open(server.config(), options)) {
            assertEquals("a", kube.get(Types.CONFIG_MAP, ObjectKey.of("default", "a")).name());
        }
        assertEquals(1, faults.hits().get("stall"));
        assertEquals(1, faults.hits().get("stallBody"));
        faults.stall(r -> r.method().equals("DELETE"), 1);
        var impatient = ClientOptions.of("t").callDeadline(Duration.ofSeconds(2));
        try (var kube = KubeClient.open(server.config(), impatient)) {
            var key = ObjectKey.of("default", "a");
            assertThrows(
                    ApiException.Unreachable.class,
                    () -> kube.delete(Types.CONFIG_MAP, key, DeleteOptions.any()));
        }
        assertEquals(200, client.get(MAPS + "/a").code(), "it was not done");
    }

    @Test
    void aBodyCanBeSlow() {
        var time = Duration.ofMillis(300);
        server.faults().slowBody(r -> r.method().equals("GET"), 1, time);
        long start = System.nanoTime();
        assertEquals(200, client.get(MAPS).code());
        assertTrue(System.nanoTime() - start >= time.toNanos());
        assertEquals(1, server.faults().hits().get("slowBody"));
    }

    @Test
    void anOutageKeepsTheObjects() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'a'}}");
        var url = server.url();
        server.stop();
        assertThrows(UncheckedIOException.class, () -> client.get(MAPS));
        server.restart();
        assertEquals(url, server.url());
        assertEquals(200, client.get(MAPS + "/a").code());
    }

    @Test
    @OursAlone("the revisions of a real server are etcd's own")
    void aRestoredBackupHasALowerRevision() throws Exception {
        Widgets.define(client);
        server.faults().advanceRevision(100_000);
        client.post(MAPS, "{'metadata':{'name':'a'}}");
        server.stop();
        server.restartAt(2000);
        var list = client.get(MAPS);
        assertTrue(Long.parseLong(list.text("metadata", "resourceVersion")) < 100_000);
        assertEquals("a", list.text("items", "0", "metadata", "name"));
        assertEquals(200, client.get("/apis/example.com/v1/widgets").code());
    }

    @Test
    @OursAlone("the objects of a real server are etcd's own")
    void aBackupHasTheObjectsAndTheRevisionOfItsTime() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'a'}}");
        var then = client.get(MAPS).text("metadata", "resourceVersion");
        var backup = server.backup();
        client.post(MAPS, "{'metadata':{'name':'b'}}");
        client.delete(MAPS + "/a", "");
        for (int times = 0; times < 2; times++) {
            server.stop();
            server.restart(backup);
            assertEquals(200, client.get(MAPS + "/a").code());
            assertEquals(404, client.get(MAPS + "/b").code());
            assertEquals(then, client.get(MAPS).text("metadata", "resourceVersion"));
            client.post(MAPS, "{'metadata':{'name':'b'}}");
        }
    }

    @Test
    void countsWhatMetSomething() throws Exception {
        var faults = server.faults();
        var gets = faults.count(r -> r.method().equals("GET"));
        faults.answer(r -> r.method().equals("GET"), 2, 429, "slow down");
        faults.cutAfter(r -> r.method().equals("DELETE"), 1);
        get();
        get();
        get();
        try (var watch = new Watch(client, MAPS + "?watch=true")) {
            faults.endWatches();
            assertEquals("END", watch.line());
        }
        assertEquals(2, faults.hits().get("answer 429"));
        assertEquals(1, faults.hits().get("endWatches"));
        assertFalse(faults.hits().containsKey("cutAfter"), "nobody deleted anything");
        assertEquals(4, gets.getAsLong());
    }

    @Test
    void anEmptyRestartForgetsEverything() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'a'}}");
        server.stop();
        server.restartEmpty();
        assertEquals(404, client.get(MAPS + "/a").code());
    }

    @Test
    void watchesCanBeEndedOrCut() throws Exception {
        try (var ended = new Watch(client, MAPS + "?watch=true")) {
            server.faults().endWatches();
            assertEquals("END", ended.line());
        }
        try (var cut = new Watch(client, MAPS + "?watch=true")) {
            server.faults().cutWatches();
            assertEquals("BROKEN", cut.line());
        }
    }

    @Test
    void aDirectoryKeepsTheAuthority(@TempDir Path directory) throws Exception {
        var options = Options.defaults().directory(directory);
        String first;
        try (var one = Servers.start(options)) {
            first = one.caPem();
        }
        try (var two = Servers.start(options)) {
            assertEquals(first, two.caPem());
            assertEquals(200, Client.of(two).get("/api/v1/namespaces").code());
        }
    }

    @Test
    void requestsAreRecorded() {
        client.get(MAPS + "?limit=5");
        var seen = server.faults().requests().getLast();
        assertEquals(MAPS, seen.target());
        assertEquals("5", seen.query().get("limit"));
    }
}
