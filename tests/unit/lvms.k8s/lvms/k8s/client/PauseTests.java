package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.wire.RetryAfter;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A repeat waits as long as it was told, ends in time, and never spins. */
class PauseTests extends KubeClientCase {
    @ParameterizedTest(name = "{0} is {1} s")
    @CsvSource(
            delimiter = '|',
            value = {
                "2                             | 2",
                "' 7 '                         | 7",
                "0                             | 1",
                "-5                            | 1",
                "61                            | 60",
                "99999999999999999999          | 60",
                "Thu, 01 Jan 2026 00:00:30 GMT | 30",
                "Thu, 01 Jan 2026 09:00:00 GMT | 60",
                "Wed, 31 Dec 2025 00:00:00 GMT | 1",
            })
    @Behaviour(17)
    void aPauseIsClamped(String header, long seconds) {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        assertEquals(Optional.of(Duration.ofSeconds(seconds)), RetryAfter.parse(header, now));
    }

    @ParameterizedTest
    @CsvSource({"soon", "''", "1.5", "0x10", "1 2"})
    @Behaviour(17)
    void garbageIsNoPause(String header) {
        assertEquals(Optional.empty(), RetryAfter.parse(header, Instant.EPOCH));
    }

    @Test
    @Behaviour(18)
    void aReadThatAlwaysGets503IsRepeatedWithinABound() throws Exception {
        var client =
                client((_, reply) -> reply.send(503, "away")).withDeadline(Duration.ofSeconds(3));
        assertThrows(ApiException.ServerError.class, () -> client.get(Types.CONFIG_MAP, A));
        int requests = server().requests().size();
        assertTrue(requests > 1 && requests <= 6, () -> "" + requests);
    }

    @Test
    @Behaviour(18)
    void anInterruptEndsThePause() throws Exception {
        var client = client((_, reply) -> reply.send(503, "away", "Retry-After: 50"));
        var caller = new Caller(client);
        Await.until(
                "it waits",
                () ->
                        caller.thread.getState() == Thread.State.TIMED_WAITING
                                && server().requests().size() == 1);
        caller.endByInterrupt();
        assertEquals(1, server().requests().size());
    }

    /** The pauses double from 100 ms to 5 s, so three seconds allow six tries at most. */
    @Test
    @Behaviour(19)
    void aServerThatIsAwayIsAskedAtABoundedRate() throws Exception {
        int refused;
        try (var free = new ServerSocket(0)) {
            refused = free.getLocalPort();
        }
        var config = KubeConfig.ofServer(URI.create("http://127.0.0.1:" + refused));
        var metrics = new MetricsRegistry();
        var options = ClientOptions.of("t").metrics(metrics).callDeadline(Duration.ofSeconds(3));
        var client = closing(KubeClient.open(config, options));
        assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        var line =
                metrics.text()
                        .lines()
                        .filter(l -> l.startsWith("rest_client_requests_total{code=\"<error>\""))
                        .findFirst()
                        .orElseThrow();
        double tries = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        assertTrue(tries >= 2 && tries <= 6, line);
    }

    @ParameterizedTest
    @CsvSource({
        "500, ServerTimeout",
        "504, Timeout",
        "503, ServiceUnavailable",
        "429, TooManyRequests"
    })
    @Behaviour(24)
    void theSecondsOfAStatusCountLikeTheHeader(int code, String reason) throws Exception {
        var busy =
                status(code, reason, "later")
                        .replace("\"code\"", "\"details\":{\"retryAfterSeconds\":1},\"code\"");
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n == 1) {
                                        reply.send(code, busy);
                                    } else {
                                        reply.send(200, configMap("a", "u", 1));
                                    }
                                }));
        long start = System.nanoTime();
        client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY);
        assertTrue(System.nanoTime() - start >= 1_000_000_000L, "waited a second");
        assertEquals(2, server().requests().size());
    }

    /** What the cache does not have yet is for the caller, who asked for that version. */
    @Test
    @Behaviour(27)
    void aVersionThatIsTooLargeIsToldAtOnce() throws Exception {
        var large =
                status(504, "Timeout", "Too large resource version: 9, current: 5")
                        .replace(
                                "\"code\"",
                                "\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\"}],"
                                    + "\"retryAfterSeconds\":1},\"code\"");
        var client =
                client(
                        (request, reply) -> {
                            if (request.parameter("resourceVersion").isPresent()) {
                                reply.send(504, large);
                            } else {
                                reply.send(200, Bodies.list(5, configMap("a", "u", 1)));
                            }
                        });
        var options = ListOptions.all().atLeast("9");
        var failure =
                assertThrows(
                        ApiException.ServerError.class,
                        () -> client.list(Types.CONFIG_MAP, options));
        assertTrue(failure.status().hasCause("ResourceVersionTooLarge"));
        assertEquals(1, server().requests().size());
        assertEquals(1, client.list(Types.CONFIG_MAP, ListOptions.all()).size());
    }

    @Test
    void aConnectionThatIsCutInTheHeadersIsRepeatedForReadsOnly() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n == 1) {
                                        reply.raw("HTTP/1.1 200 OK\r\nContent-Le");
                                    } else {
                                        reply.send(200, configMap("a", "u", 1));
                                    }
                                }));
        client.get(Types.CONFIG_MAP, A);
        assertEquals(2, server().requests().size());
    }
}
