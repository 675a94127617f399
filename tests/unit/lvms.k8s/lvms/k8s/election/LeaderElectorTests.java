package lvms.k8s.election;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.object.ObjectKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A leader that cannot renew its lease gives up before another may take it. */
@Timeout(60)
class LeaderElectorTests {
    private static final LeaseTiming TIMING =
            new LeaseTiming(
                    Duration.ofMillis(3000), Duration.ofMillis(1500), Duration.ofMillis(200));

    private final AtomicLong stoppedNanos = new AtomicLong();

    private LeaderElector.Listener listener() {
        return new LeaderElector.Listener() {
            @Override
            public void onStartedLeading() {}

            @Override
            public void onStoppedLeading() {
                stoppedNanos.set(System.nanoTime());
            }
        };
    }

    @Test
    void givesUpAtTheRenewDeadlineEvenWhileACallHangs() throws Exception {
        var hang = new AtomicBoolean();
        var lastRenewal = new AtomicLong();
        FakeServer.Script script =
                (request, reply) -> {
                    if (hang.get()) {
                        reply.hold();
                    } else if (request.method().equals("GET")) {
                        reply.send(404, "{\"kind\":\"Status\",\"details\":{\"name\":\"l\"}}");
                    } else {
                        lastRenewal.set(System.nanoTime());
                        reply.send(200, request.body());
                    }
                };
        try (var server = FakeServer.start(script);
                var client = server.client();
                var elector =
                        LeaderElector.of(
                                client, ObjectKey.of("ns", "l"), "me", TIMING, listener())) {
            elector.start();
            Await.until("a renewal", () -> elector.leading() && server.requests().size() > 3);
            assertTrue(
                    client.metrics()
                            .text()
                            .contains("leader_election_master_status{name=\"l\"} 1\n"));
            hang.set(true);
            Await.until("the end of leadership", () -> stoppedNanos.get() != 0);
            assertFalse(elector.leading());
            assertTrue(
                    client.metrics()
                            .text()
                            .contains("leader_election_master_status{name=\"l\"} 0\n"));
            long after = stoppedNanos.get() - lastRenewal.get();
            assertTrue(after < TIMING.lease().toNanos() - 500_000_000L, "after " + after + " ns");
        }
    }
}
