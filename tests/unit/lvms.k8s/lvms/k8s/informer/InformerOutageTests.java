package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An informer that cannot follow for long is seen by metrics and log, and ends nothing. */
class InformerOutageTests extends InformerCase {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicBoolean refuses = new AtomicBoolean(true);
    private final AtomicInteger refusals = new AtomicInteger();
    private KubeClient client;

    /** One whose watches are refused because the server has too much to do. */
    private Informer refused(String text) throws Exception {
        client =
                serve(
                        (request, reply) -> {
                            if (!request.isWatch()) {
                                reply.send(200, list(7));
                            } else if (request.isStreamingList()) {
                                reply.send(400, status(400, "BadRequest", "no streaming lists"));
                            } else if (refuses.get()) {
                                refusals.incrementAndGet();
                                reply.send(429, text);
                            } else {
                                reply.stream().hold();
                            }
                        });
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
        informer.start();
        Await.until("synced", informer::synced);
        return informer;
    }

    private String notFollowing() {
        return client.metrics()
                .text()
                .lines()
                .filter(line -> line.startsWith("informer_not_following{name=\"configmaps\"} "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("none");
    }

    private static List<String> warnings(LogRecords log, String text) {
        return log.beginning("informer cannot follow type=configmaps for=").stream()
                .filter(line -> line.contains(text))
                .toList();
    }

    @Test
    @Behaviour(59)
    void watchesThatAreRefusedForLongAreCountedAndToldOnce() throws Exception {
        try (var log = new LogRecords()) {
            var informer = refused("busy for long");
            Await.until("it is told", () -> !warnings(log, "busy for long").isEmpty());
            assertEquals("1", notFollowing());
            int before = refusals.get();
            Await.until("it goes on", () -> refusals.get() >= before + 5);
            assertEquals(1, warnings(log, "busy for long").size());
            assertTrue(informer.following(), "a new process would fare no better");
            refuses.set(false);
            Await.until("it follows", () -> notFollowing().equals("0"));
            assertEquals(Optional.empty(), informer.problem());
            Await.until(
                    "its end is told",
                    () ->
                            !log.beginning("informer follows again type=configmaps after=")
                                    .isEmpty());
        }
    }

    @Test
    void whatIsClosedMeanwhileIsNotCounted() throws Exception {
        var informer = refused("busy until the end");
        Await.until("it is counted", () -> notFollowing().equals("1"));
        informer.close();
        assertEquals("0", notFollowing());
    }

    @Test
    void anOutageIsDueAfterItsLimitAndOnce() {
        var outage = new Outage("busy", 5, false);
        assertFalse(outage.due(Duration.ofMinutes(1), 5 + MINUTE - 1));
        assertTrue(outage.due(Duration.ofMinutes(1), 5 + MINUTE));
        var other = outage.goesOn("away");
        assertTrue(other.due(Duration.ofMinutes(1), 5 + MINUTE), "another reason, the same time");
        assertFalse(other.asTold().goesOn("busy").due(Duration.ofMinutes(1), 5 + 2 * MINUTE));
        assertEquals(Duration.ofMinutes(1), Timing.DEFAULT.tellAfter());
    }
}
