package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pool of connections that died without a word costs one request its deadline, and not one
 * request for each connection.
 */
@Timeout(120)
class DeadConnectionTests extends KubeClientCase {
    private static final int CONNECTIONS = 6;

    /** No more than this is lost; a server that works answers much sooner, on any machine. */
    private static final Duration ATTEMPT = Duration.ofSeconds(4);

    private static final String VERSION = "{\"gitVersion\":\"v1\"}";
    private static final Duration CALL = Duration.ofSeconds(60);

    private final MetricsRegistry metrics = new MetricsRegistry();
    private Gateway gateway;

    /** A client with some idle connections through the gateway, which has forgotten them all. */
    private KubeClient withDeadConnections() throws Exception {
        var together = new CyclicBarrier(CONNECTIONS);
        serve(
                (request, reply) -> {
                    if (request.path().equals("/version")) {
                        reply.send(200, VERSION);
                    } else if (request.path().endsWith("/secrets")) {
                        reply.send(200, list(5).replace("ConfigMap", "Secret"));
                    } else {
                        if (request.method().equals("GET")) {
                            awaitAll(together);
                        }
                        reply.send(200, configMap("a", "u", 1));
                    }
                });
        gateway = closing(new Gateway(server().port()));
        var address = URI.create("http://127.0.0.1:" + gateway.port());
        var options =
                ClientOptions.of("t").attemptDeadline(ATTEMPT).callDeadline(CALL).metrics(metrics);
        var client = closing(KubeClient.open(KubeConfig.ofServer(address), options));
        inParallel(() -> client.get(Types.CONFIG_MAP, A));
        assertEquals(CONNECTIONS, gateway.accepted());
        gateway.forget();
        return client.withFieldManager("t");
    }

    private static void awaitAll(CyclicBarrier together) throws InterruptedException {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> void inParallel(Callable<T> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(Collections.nCopies(CONNECTIONS, call))) {
                result.get();
            }
        }
    }

    private long failures() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("rest_client_requests_total{code=\"<error>\""))
                .mapToLong(line -> (long) Double.parseDouble(line.replaceAll(".* ", "")))
                .sum();
    }

    @Test
    void aReadSucceedsAtItsSecondAttempt() throws Exception {
        var client = withDeadConnections();
        assertEquals("v1", client.serverVersion());
        assertEquals(1, failures(), "one of the dead connections was tried");
        assertEquals(CONNECTIONS + 1, gateway.accepted());
        Await.until("the dead ones are given back", () -> gateway.kept() == 0);
    }

    @Test
    void aWriteThatMayNotBeRepeatedIsTheOnlyOneThatFails() throws Exception {
        var client = withDeadConnections();
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.replace(Types.CONFIG_MAP, object("a", "u", 1)));
        assertTrue(failure.outcomeUnknown());
        client.replace(Types.CONFIG_MAP, object("a", "u", 1));
        assertEquals(1, failures());
    }

    /** All of them run into dead connections, and that is one reason for one new pool. */
    @Test
    void manyCallsAtOnceLoseOneAttemptEach() throws Exception {
        var client = withDeadConnections();
        inParallel(client::serverVersion);
        assertEquals(CONNECTIONS, failures());
        assertTrue(gateway.accepted() <= 2 * CONNECTIONS, () -> "" + gateway.accepted());
    }

    @Test
    void aListLosesOneAttempt() throws Exception {
        var client = withDeadConnections();
        assertEquals(0, client.list(Types.SECRET, ListOptions.all()).size());
        assertEquals(1, failures());
    }

    /** An answer that is only late is no reason to end what others are waiting for. */
    @Test
    void whatRunsWhenAPoolIsReplacedGoesOn() throws Exception {
        var slow = new CountDownLatch(1);
        var first = new AtomicBoolean(true);
        serve(
                (request, reply) -> {
                    if (!request.path().equals("/version")) {
                        slow.await();
                        reply.send(200, configMap("a", "u", 1));
                    } else if (first.getAndSet(false)) {
                        reply.hold();
                    } else {
                        reply.send(200, VERSION);
                    }
                });
        var client = closing(server().client());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> client.get(Types.CONFIG_MAP, A).name());
            Await.until("it was asked", () -> server().requests().size() == 1);
            var hasty = client.withDeadline(Duration.ofMillis(200));
            assertThrows(ApiException.Unreachable.class, hasty::serverVersion);
            assertEquals("v1", client.serverVersion());
            slow.countDown();
            assertEquals("a", running.get(30, TimeUnit.SECONDS));
        }
        assertEquals(3, server().requests().size(), "nothing was repeated");
    }
}
