package lvms.k8s.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * There is never more than one leader: who cannot renew its lease gives up before another may take
 * it, and clocks of other machines do not count.
 */
@Timeout(60)
@Safety({29, 31})
class LeaderElectorTests {
    private static final ObjectKey LEASE = ObjectKey.of("ns", "l");

    private static final LeaseTiming TIMING =
            new LeaseTiming(
                    Duration.ofMillis(3000), Duration.ofMillis(1500), Duration.ofMillis(200));

    private static final LeaseTiming SHORT =
            new LeaseTiming(
                    Duration.ofMillis(1000), Duration.ofMillis(600), Duration.ofMillis(100));

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
    @Behaviour(74)
    void givesUpAtTheRenewDeadlineEvenWhileACallHangs() throws Exception {
        var hang = new AtomicBoolean();
        var lastRenewal = new AtomicLong();
        FakeServer.Script script =
                (request, reply) -> {
                    if (hang.get()) {
                        reply.hold();
                    } else if (request.method().equals("GET")) {
                        reply.send(404, Bodies.notFound("leases", "l"));
                    } else {
                        lastRenewal.set(System.nanoTime());
                        reply.send(200, request.body());
                    }
                };
        try (var server = FakeServer.start(script);
                var client = server.client();
                var elector = LeaderElector.of(client, LEASE, "me", TIMING)) {
            elector.start(listener());
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

    /** Notes when leadership began and ended. */
    private static final class Terms implements LeaderElector.Listener {
        private final AtomicLong startedNanos = new AtomicLong();
        private final AtomicLong stoppedNanos = new AtomicLong();

        @Override
        public void onStartedLeading() {
            startedNanos.set(System.nanoTime());
        }

        @Override
        public void onStoppedLeading() {
            stoppedNanos.set(System.nanoTime());
        }
    }

    private static LeaderElector elector(KubeClient client, String identity) {
        return LeaderElector.of(client, LEASE, identity, SHORT);
    }

    @Test
    @Behaviour(72)
    void theNextTakesOverOneLeaseAfterTheLastRenewalThatItSaw() throws Exception {
        var store = new LeaseStore();
        var one = new Terms();
        var two = new Terms();
        try (var server = FakeServer.start(store);
                var clientOne = server.client();
                var clientTwo = server.client();
                var first = elector(clientOne, "one");
                var second = elector(clientTwo, "two")) {
            first.start(one);
            Await.until("the first leads", first::leading);
            second.start(two);
            Await.until("the second has seen renewals", () -> store.writes("one") > 4);
            assertFalse(second.leading());
            store.cutOff("one");
            long lastNanos = store.lastWriteNanos();
            Await.until("the second leads", () -> two.startedNanos.get() != 0);
            assertFalse(first.leading());
            assertTrue(one.stoppedNanos.get() < two.startedNanos.get(), "two leaders at once");
            assertTrue(two.startedNanos.get() - lastNanos >= SHORT.lease().toNanos());
        }
    }

    @Test
    void whoSeesThatAnotherLeadsStandsByUntilItLeadsItself() throws Exception {
        var store = new LeaseStore();
        store.heldBy("other", Duration.ofHours(1), "2026-01-01T00:00:00.000000Z");
        try (var server = FakeServer.start(store);
                var client = server.client();
                var elector = elector(client, "me")) {
            assertFalse(elector.standingBy());
            elector.start(new Terms());
            Await.until("it stands by", elector::standingBy);
            assertFalse(elector.leading());
            store.heldBy("", Duration.ofSeconds(1), "2026-01-01T00:00:00.000000Z");
            Await.until("it leads", elector::leading);
            assertFalse(elector.standingBy());
        }
    }

    /** Of its tries none would come before the test gives up. */
    @Test
    void whoStandsByIsThereWhenTheLeaseEnds() throws Exception {
        var rare =
                new LeaseTiming(
                        Duration.ofMinutes(30), Duration.ofMinutes(20), Duration.ofMinutes(10));
        var store = new LeaseStore();
        store.heldBy("dead", Duration.ofSeconds(1), "2026-01-01T00:00:00.000000Z");
        try (var server = FakeServer.start(store);
                var client = server.client();
                var elector = LeaderElector.of(client, LEASE, "me", rare)) {
            elector.start(new Terms());
            Await.until("it leads", elector::leading);
        }
    }

    @Test
    void whoMayNotSeeTheLeaseDoesNotStandBy() throws Exception {
        var forbidden = Bodies.status(403, "Forbidden", "no");
        try (var server = FakeServer.start((_, reply) -> reply.send(403, forbidden));
                var client = server.client();
                var elector = elector(client, "me")) {
            elector.start(new Terms());
            Await.until("some tries", () -> server.requests().size() > 2);
            assertFalse(elector.standingBy());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"})
    @Behaviour(73)
    void theHoldersClockDoesNotCount(String renewTime) throws Exception {
        var store = new LeaseStore();
        store.heldBy("dead", SHORT.lease(), renewTime);
        var terms = new Terms();
        long startNanos = System.nanoTime();
        try (var server = FakeServer.start(store);
                var client = server.client();
                var elector = elector(client, "me")) {
            elector.start(terms);
            Await.until("it leads", () -> terms.startedNanos.get() != 0);
            long tookNanos = terms.startedNanos.get() - startNanos;
            assertTrue(tookNanos >= SHORT.lease().toNanos(), "too early: " + tookNanos);
        }
    }

    /** A suspend stops the monotonic clock; only the wall's shows it. */
    @Test
    @Behaviour(78)
    void afterASuspendNobodyLeads() throws Exception {
        var store = new LeaseStore();
        var terms = new Terms();
        var suspendedMillis = new AtomicLong();
        Clock clock =
                () ->
                        new Clock.Moment(
                                System.nanoTime(),
                                System.currentTimeMillis() + suspendedMillis.get());
        try (var server = FakeServer.start(store);
                var client = server.client();
                var elector = LeaderElector.of(client, LEASE, "me", SHORT, clock)) {
            elector.start(terms);
            Await.until("it leads", elector::leading);
            store.heldBy("other", Duration.ofHours(1), "2026-01-01T00:00:00.000000Z");
            suspendedMillis.set(20_000);
            assertFalse(elector.leading(), "at once");
            var guarded = client.guardedBy(elector);
            assertThrows(
                    ApiException.Fenced.class,
                    () -> guarded.delete(Types.LEASE, LEASE, DeleteOptions.any()));
            Await.until("it stops what it guards", () -> terms.stoppedNanos.get() != 0);
            assertEquals("other", store.holder());
        }
    }

    /** The objects of a term are closed by then, so a second one would work on closed ones. */
    @Test
    void whoLostTheLeaseDoesNotTryAgain() throws Exception {
        var store = new LeaseStore();
        var terms = new Terms();
        try (var server = FakeServer.start(store);
                var client = server.client();
                var other = server.client();
                var elector = elector(client, "me");
                var next = elector(other, "next")) {
            elector.start(terms);
            Await.until("it leads", elector::leading);
            store.heldBy("other", Duration.ofSeconds(1), "2026-01-01T00:00:00.000000Z");
            Await.until("it lost", () -> terms.stoppedNanos.get() != 0);
            long writes = store.writes("me");
            store.heldBy("", Duration.ofSeconds(1), "2026-01-01T00:00:00.000000Z");
            next.start(new Terms());
            Await.until("another one leads for long", () -> store.writes("next") > 5);
            assertEquals(writes, store.writes("me"));
        }
    }

    /** A proxy that answers for the server with an older state, or a server that merges. */
    @Test
    void aWriteWhoseAnswerNamesAnotherHolderWinsNothing() throws Exception {
        var answers = new AtomicLong();
        FakeServer.Script script =
                (request, reply) -> {
                    if (request.method().equals("GET")) {
                        reply.send(404, Bodies.notFound("leases", "l"));
                    } else {
                        answers.incrementAndGet();
                        reply.send(201, request.body().replace("\"me\"", "\"other\""));
                    }
                };
        var terms = new Terms();
        try (var server = FakeServer.start(script);
                var client = server.client();
                var elector = elector(client, "me")) {
            elector.start(terms);
            Await.until("some tries", () -> answers.get() > 1);
            assertFalse(elector.leading());
            assertEquals(0, terms.startedNanos.get());
        }
    }

    /** The first answer is lost, and another process makes the lease in between. */
    @Test
    void aLeaseThatAnotherOneMadeIsNotAdopted() throws Exception {
        var lost = new AtomicBoolean();
        var theirs = new LeaseStore();
        FakeServer.Script script =
                (request, reply) -> {
                    if (request.method().equals("POST") && lost.compareAndSet(false, true)) {
                        theirs.heldBy("other", Duration.ofHours(1), "2026-01-01T00:00:00.000000Z");
                        reply.reset();
                    } else if (request.method().equals("POST")) {
                        reply.send(409, Bodies.status(409, "AlreadyExists", "there"));
                    } else {
                        theirs.answer(request, reply);
                    }
                };
        try (var server = FakeServer.start(script);
                var client = server.client();
                var elector = elector(client, "me")) {
            elector.start(new Terms());
            Await.until("it stands by", elector::standingBy);
            assertFalse(elector.leading());
        }
    }

    @Test
    void aListenerThatThrowsEndsTheTermAndIsTold() throws Exception {
        var told = new AtomicBoolean();
        var listener =
                new LeaderElector.Listener() {
                    @Override
                    public void onStartedLeading() {
                        throw new AssertionError("a bug");
                    }

                    @Override
                    public void onStoppedLeading() {
                        told.set(true);
                    }
                };
        try (var server = FakeServer.start(new LeaseStore());
                var client = server.client();
                var elector = elector(client, "me")) {
            elector.start(listener);
            Await.until("it is told of the end", told::get);
            assertFalse(elector.leading());
        }
    }
}
