package lvms.k8s.election;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.WriteGuard;
import lvms.k8s.limit.BoundedCall;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.object.ObjectKey;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Elects one leader among the processes that name the same Lease, for one term: whoever loses the
 * lease ends, and a new process tries again.
 *
 * <p>It is the guard of the client that the leader writes with ({@link KubeClient#guardedBy}), so
 * that nothing is sent once another process may lead. It has connections of its own, so that no
 * other traffic can starve the renewals.
 */
public final class LeaderElector implements WriteGuard, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LeaderElector.class.getName());
    private static final double ACQUIRE_JITTER = 1.2; // of the retry period, as client-go

    /** Processes that wait for the same end come one after the other in this time. */
    private static final long TURNS_MILLIS = 200;

    /** How long a renewal may take to end once it is interrupted. */
    private static final Duration UNSTUCK = Duration.ofMillis(500);

    private final KubeClient client;
    private final ObjectKey key;
    private final String identity;
    private final LeaseTiming timing;
    private final Clock clock;
    private final Term term;
    private final LeaseLock lock;
    private final Gauge status;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private Thread thread;
    private volatile boolean standingBy;
    private volatile boolean stuck;

    /** Told when leadership begins and ends. Runs on the elector's thread; must return soon. */
    public interface Listener {
        /** This process leads now. */
        void onStartedLeading();

        /**
         * This process no longer leads, or will never lead; guarded work must stop at once. Not
         * called because of {@link LeaderElector#close}.
         */
        void onStoppedLeading();
    }

    private LeaderElector(
            KubeClient client, ObjectKey lease, String identity, LeaseTiming timing, Clock clock) {
        this.clock = clock;
        this.client =
                client.dedicated("leader-election", timing.renewDeadline().dividedBy(2))
                        .withFieldManager(identity);
        this.key = lease;
        this.identity = identity;
        this.timing = timing;
        this.term = new Term(timing.renewDeadline(), clock);
        this.lock = new LeaseLock(this.client, lease, identity, timing, clock);
        this.status =
                client.metrics()
                        .gauge(
                                "leader_election_master_status",
                                "1 if this process is the leader, else 0.",
                                "name")
                        .with(lease.name());
    }

    /**
     * Returns an elector with the default timing of Kubernetes, which is not started yet.
     *
     * @param identity of this process alone, such as the pod's name with a random UUID: two that
     *     have one identity both lead
     */
    public static LeaderElector of(KubeClient client, ObjectKey lease, String identity) {
        return of(client, lease, identity, LeaseTiming.DEFAULT);
    }

    /** Returns an elector, which is not started yet. */
    public static LeaderElector of(
            KubeClient client, ObjectKey lease, String identity, LeaseTiming timing) {
        return of(client, lease, identity, timing, Clock.SYSTEM);
    }

    static LeaderElector of(
            KubeClient client, ObjectKey lease, String identity, LeaseTiming timing, Clock clock) {
        return new LeaderElector(client, lease, identity, timing, clock);
    }

    /** Starts trying to lead; only once. Returns at once. */
    public synchronized void start(Listener listener) {
        if (thread == null && !stopping.get()) {
            thread = Thread.ofVirtual().name("leader-election").start(() -> run(listener));
        }
    }

    /**
     * Returns whether this process leads: it holds the lease, and renewed it in time. It is false
     * at once after a suspend, even before {@link Listener#onStoppedLeading} is called.
     */
    public boolean leading() {
        return term.lasts();
    }

    /** Returns how long this process leads if it cannot renew the lease. */
    @Override
    public Duration left() {
        return term.left();
    }

    /** Returns how long after the loss of the lease nobody else can have taken it. */
    public Duration margin() {
        return timing.lease().minus(timing.renewDeadline());
    }

    /**
     * Returns whether this process has just seen another one hold the lease, and will take over
     * when that one releases it or dies.
     */
    public boolean standingBy() {
        return standingBy;
    }

    private void run(Listener listener) {
        try {
            acquire();
            lead(listener);
        } catch (InterruptedException e) {
            LOG.log(DEBUG, () -> "election ended lease=" + key);
        } catch (Throwable e) { // nobody else would notice
            LOG.log(ERROR, "election failed lease=" + key, e);
        } finally {
            end(listener);
        }
    }

    /** The lease counts from the start of the try that succeeded. */
    private void acquire() throws InterruptedException {
        while (true) {
            var start = clock.now();
            if (lock.hold()) {
                standingBy = false;
                term.renewed(start);
                return;
            }
            standingBy = !lock.troubled() && lock.heldByAnother();
            Thread.sleep(pause());
        }
    }

    /** The end of another one's lease is not slept over: until then nobody leads. */
    private Duration pause() {
        var random = ThreadLocalRandom.current();
        if (standingBy) {
            var left = lock.left().plusMillis(random.nextLong(TURNS_MILLIS));
            return left.compareTo(timing.retryPeriod()) < 0 ? left : timing.retryPeriod();
        }
        double factor = 1 + ACQUIRE_JITTER * random.nextDouble();
        return Duration.ofMillis((long) (timing.retryPeriod().toMillis() * factor));
    }

    private void lead(Listener listener) throws InterruptedException {
        status.set(1);
        LOG.log(INFO, () -> "became leader lease=" + key + " identity=" + identity);
        listener.onStartedLeading();
        while (term.lasts()) {
            var left = term.left(); // its end is not slept over
            var pause = timing.retryPeriod();
            Thread.sleep(left.compareTo(pause) < 0 ? left : pause);
            var start = clock.now();
            if (!term.lasts()) {
                return; // we slept through the deadline, as on a suspended machine
            }
            if (renewWithin(term.left())) {
                term.renewed(start);
            } else if (lock.heldByAnother()) {
                return;
            }
        }
    }

    /**
     * Makes one try that ends in time: a hanging call must not keep a leader in office once another
     * process may have taken over.
     */
    private boolean renewWithin(Duration limit) throws InterruptedException {
        var attempt = BoundedCall.start("leader-election-renewal", lock::hold);
        boolean ended = false;
        try {
            ended = attempt.endsWithin(limit);
        } finally {
            stuck = !attempt.interrupt(UNSTUCK) && !ended; // an interrupt ends its call at once
        }
        return ended && renewed(attempt);
    }

    private boolean renewed(BoundedCall<Boolean> attempt) {
        try {
            return attempt.result();
        } catch (Throwable e) { // the next try may be better, the term ends by itself
            LOG.log(WARNING, () -> "lease not renewed lease=" + key, e);
            return false;
        }
    }

    private void end(Listener listener) {
        standingBy = false;
        term.end();
        status.set(0);
        if (!stopping.get()) {
            LOG.log(WARNING, () -> "lost leadership lease=" + key + " identity=" + identity);
            listener.onStoppedLeading();
        }
    }

    /**
     * Stops, and releases the lease if this process holds it, so that another process need not wait
     * for it to expire. Guarded work must have stopped.
     */
    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }

    private synchronized void stop() throws InterruptedException {
        if (thread == null) {
            return; // it never tried
        }
        if (ended()) {
            lock.release();
        } else {
            LOG.log(WARNING, () -> "lease not released, a try hangs lease=" + key);
        }
    }

    private boolean ended() throws InterruptedException {
        if (Thread.currentThread() == thread) { // a listener closes it
            term.end();
            return !stuck;
        }
        thread.interrupt();
        return thread.join(timing.renewDeadline()) && !stuck;
    }
}
