package lvms.k8s.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A lease is kept through errors, released at the end, and deleted it leads to no two leaders. */
@Timeout(60)
class LeaseTests {
    private static final ObjectKey LEASE = ObjectKey.of("ns", "l");
    private static final String LONG_AGO = "2026-01-01T00:00:00.000000Z";

    /** Nobody's lease ends while a test runs, however slow the machine is. */
    private static final LeaseTiming BUSY = endless(Duration.ofMillis(50));

    private static final LeaseTiming LAZY = endless(Duration.ofMinutes(10));
    private static final LeaseTiming SHORT =
            new LeaseTiming(
                    Duration.ofMillis(1000), Duration.ofMillis(600), Duration.ofMillis(100));

    private static LeaseTiming endless(Duration retryPeriod) {
        return new LeaseTiming(Duration.ofMinutes(30), Duration.ofMinutes(20), retryPeriod);
    }

    /** Notes when leadership began, and whether it ended. */
    private static final class Terms implements LeaderElector.Listener {
        private final AtomicLong startedNanos = new AtomicLong();
        private final AtomicBoolean stopped = new AtomicBoolean();

        @Override
        public void onStartedLeading() {
            startedNanos.set(System.nanoTime());
        }

        @Override
        public void onStoppedLeading() {
            stopped.set(true);
        }
    }

    private final LeaseStore store = new LeaseStore();
    private final Terms terms = new Terms();
    private final AtomicBoolean silent = new AtomicBoolean();
    private final List<LeaderElector> electors = new ArrayList<>();
    private FakeServer server;
    private KubeClient client;

    @BeforeEach
    void open() throws Exception {
        server = FakeServer.start(this::answer);
        client = server.client();
    }

    @AfterEach
    void close() throws Exception {
        electors.forEach(LeaderElector::close);
        client.close();
        server.close();
    }

    private void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        if (silent.get() && request.method().equals("POST")) {
            store.take(request); // and the answer never comes
            reply.hold();
        } else {
            store.answer(request, reply);
        }
    }

    private LeaderElector start(String identity, LeaseTiming timing) {
        var elector = LeaderElector.of(client, LEASE, identity, timing);
        electors.add(elector);
        elector.start(terms);
        return elector;
    }

    private LeaderElector leader(String identity, LeaseTiming timing) {
        var elector = start(identity, timing);
        Await.until(identity + " leads", elector::leading);
        return elector;
    }

    private LeaderElector standby(String identity, LeaseTiming timing) {
        var elector = start(identity, timing);
        Await.until(identity + " stands by", elector::standingBy);
        return elector;
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 500, 503, 0})
    @Behaviour(75)
    void anErrorBelowTheDeadlineCostsNoLeadership(int code) {
        var elector = leader("me", BUSY);
        store.failWrites(3, code);
        Await.until("the failures are over", store::works);
        long writes = store.writes("me");
        Await.until("it renews again", () -> store.writes("me") > writes);
        assertTrue(elector.leading());
        assertFalse(terms.stopped.get());
        var text = client.metrics().text();
        assertFalse(text.contains("leader_election_slowpath_total{name=\"l\"} 0\n"), text);
    }

    @Test
    @Behaviour(76)
    void aReleasedLeaseIsTakenAtTheNextTry() {
        var first = leader("one", BUSY);
        var second = standby("two", BUSY);
        first.close();
        Await.until("the second leads", second::leading);
    }

    @Test
    @Behaviour(76)
    void aLeaseThatWasWonWhileTheElectorStoppedIsReleased() {
        silent.set(true);
        var elector = start("me", BUSY);
        Await.until("the server has it", () -> store.holder().equals("me"));
        elector.close();
        assertEquals("", store.holder());
    }

    @Test
    void aListenerMayCloseTheElectorAndTheLeaseIsReleased() {
        var closed = new AtomicBoolean();
        var elector = LeaderElector.of(client, LEASE, "me", BUSY);
        elector.start(
                new LeaderElector.Listener() {
                    @Override
                    public void onStartedLeading() {
                        elector.close();
                        closed.set(true);
                    }

                    @Override
                    public void onStoppedLeading() {}
                });
        Await.until("it is closed", closed::get);
        assertFalse(elector.leading());
        assertEquals("", store.holder());
    }

    /** Its holder renews it seldom, and so does not know yet that it is gone. */
    @Test
    @Behaviour(77)
    void whoSawAnotherLeadWaitsThoughTheLeaseIsDeleted() {
        var first = leader("one", LAZY);
        var second = standby("two", BUSY);
        store.delete();
        long reads = store.reads();
        Await.until("the second looked again", () -> store.reads() > reads + 3);
        assertFalse(second.leading());
        assertTrue(first.leading());
        assertEquals(0, store.writes("two"));
    }

    /** A process that is dead makes nothing again. */
    @Test
    @Behaviour(77)
    void aDeletedLeaseThatNobodyMakesAgainIsTakenAfterTheRenewDeadline() {
        store.heldBy("dead", Duration.ofHours(1), LONG_AGO);
        standby("me", SHORT);
        long deletedNanos = System.nanoTime();
        store.delete();
        Await.until("it leads", () -> terms.startedNanos.get() != 0);
        long tookNanos = terms.startedNanos.get() - deletedNanos;
        assertTrue(tookNanos >= SHORT.renewDeadline().toNanos(), "too early: " + tookNanos);
    }

    @Test
    @Behaviour(77)
    void whoLeadsMakesADeletedLeaseAgain() {
        var elector = leader("me", BUSY);
        store.delete();
        Await.until("the lease is there again", () -> store.holder().equals("me"));
        assertTrue(elector.leading());
        assertFalse(terms.stopped.get());
    }

    /** Another one made it in between: its holder learns that with its first refusal. */
    @Test
    @Behaviour(77)
    void whoLosesADeletedLeaseToAnotherOneStopsAtOnce() {
        var elector = leader("me", BUSY);
        store.heldBy("other", Duration.ofHours(1), LONG_AGO);
        Await.until("it stops", terms.stopped::get);
        assertFalse(elector.leading());
        assertEquals("other", store.holder());
    }

    @Test
    void itSharesNoConnectionWithItsClient() throws Exception {
        client.find(Types.LEASE, LEASE);
        assertEquals(1, server.connections());
        leader("me", LAZY);
        assertEquals(2, server.connections());
    }
}
