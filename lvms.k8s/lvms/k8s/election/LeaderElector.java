package lvms.k8s.election;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Elects one leader among the processes that name the same Lease.
 *
 * <p>The holder's clock is never compared with ours: a lease counts as valid for its duration from
 * the moment we saw it change, on our monotonic clock. Election does not fence: what cannot be
 * undone needs a precondition of its own.
 *
 * <p>It has connections of its own, so that no other traffic can starve the renewals.
 */
public final class LeaderElector implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LeaderElector.class.getName());
    private static final double ACQUIRE_JITTER = 1.2; // of the retry period, as client-go

    private final KubeClient client;
    private final ObjectKey key;
    private final String identity;
    private final LeaseTiming timing;
    private final Listener listener;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Thread thread;
    private final Gauge status;
    private final Counter slowRenewals;
    private final Clock clock;
    private volatile boolean leading;
    private volatile boolean standingBy;
    private String problem = "";
    private volatile Moment renewed = new Moment(0, 0);
    private Optional<KubeObject> observed = Optional.empty();
    private long observedNanos;

    /** This machine's clocks: the monotonic clock, which a suspend stops, and the wall clock. */
    interface Clock {
        Clock SYSTEM = () -> new Moment(System.nanoTime(), System.currentTimeMillis());

        Moment now();
    }

    /** One moment on both clocks. */
    record Moment(long nanos, long wallMillis) {
        /** Returns whether this much time has passed since then, on either clock. */
        boolean longerAgoThan(Duration time, Moment now) {
            return now.nanos() - nanos > time.toNanos()
                    || now.wallMillis() - wallMillis > time.toMillis();
        }
    }

    /** Told when leadership begins and ends. Runs on the elector's thread; must return soon. */
    public interface Listener {
        /** This process leads now. */
        void onStartedLeading();

        /** This process no longer leads; guarded work must stop at once. */
        void onStoppedLeading();
    }

    private LeaderElector(
            KubeClient client,
            ObjectKey lease,
            String identity,
            LeaseTiming timing,
            Listener listener,
            Clock clock) {
        this.clock = clock;
        this.client =
                client.dedicated("leader-election", timing.renewDeadline().dividedBy(2))
                        .withFieldManager(identity);
        this.key = lease;
        this.identity = identity;
        this.timing = timing;
        this.listener = listener;
        this.status =
                client.metrics()
                        .gauge(
                                "leader_election_master_status",
                                "1 if this process is the leader, else 0.",
                                "name")
                        .with(lease.name());
        this.slowRenewals =
                client.metrics()
                        .counter(
                                "leader_election_slowpath_total",
                                "Renewals that had to read the lease first.",
                                "name")
                        .with(lease.name());
        this.thread = Thread.ofVirtual().name("leader-election").unstarted(this::run);
    }

    /** Returns an elector with the default timing of Kubernetes, which is not started yet. */
    public static LeaderElector of(
            KubeClient client, ObjectKey lease, String identity, Listener listener) {
        return of(client, lease, identity, LeaseTiming.DEFAULT, listener);
    }

    /** Returns an elector, which is not started yet. */
    public static LeaderElector of(
            KubeClient client,
            ObjectKey lease,
            String identity,
            LeaseTiming timing,
            Listener listener) {
        return new LeaderElector(client, lease, identity, timing, listener, Clock.SYSTEM);
    }

    static LeaderElector of(
            KubeClient client,
            ObjectKey lease,
            String identity,
            LeaseTiming timing,
            Listener listener,
            Clock clock) {
        return new LeaderElector(client, lease, identity, timing, listener, clock);
    }

    /** Starts trying to lead. Returns at once. */
    public void start() {
        thread.start();
    }

    /**
     * Returns whether this process leads: it holds the lease, and renewed it in time. It is false
     * at once after a suspend, even before {@link Listener#onStoppedLeading} is called.
     */
    public boolean leading() {
        return leading && !expired();
    }

    /**
     * Returns whether this process has just seen another one hold the lease, and will take over
     * when that one releases it or dies.
     */
    public boolean standingBy() {
        return standingBy;
    }

    private void run() {
        try {
            while (!stopping.get()) {
                acquire();
                lead();
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, () -> "election ended lease=" + key);
        } finally {
            stopLeading();
        }
    }

    /** The lease counts from the start of the try that succeeded. */
    private void acquire() throws InterruptedException {
        while (true) {
            var start = clock.now();
            if (tryAcquireOrRenew()) {
                renewed = start;
                standingBy = false;
                return;
            }
            standingBy = problem.isEmpty() && heldByAnother();
            double factor = 1 + ACQUIRE_JITTER * ThreadLocalRandom.current().nextDouble();
            Thread.sleep(Duration.ofMillis((long) (timing.retryPeriod().toMillis() * factor)));
        }
    }

    private void lead() throws InterruptedException {
        leading = true;
        status.set(1);
        LOG.log(INFO, () -> "became leader lease=" + key + " identity=" + identity);
        listener.onStartedLeading();
        while (!expired()) {
            Thread.sleep(timing.retryPeriod());
            var start = clock.now();
            if (expired()) {
                break; // we slept through the deadline, as on a suspended machine
            }
            if (renewWithin(timing.renewDeadline().minusNanos(start.nanos() - renewed.nanos()))) {
                renewed = start;
            } else if (heldByAnother()) {
                break;
            }
        }
        stopLeading();
    }

    /**
     * Makes one try that ends in time: a hanging call must not keep a leader in office once another
     * process may have taken over.
     */
    private boolean renewWithin(Duration limit) throws InterruptedException {
        var attempt = new FutureTask<>(this::tryAcquireOrRenew);
        var runner = Thread.ofVirtual().name("leader-election-renewal").start(attempt);
        try {
            return attempt.get(Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.log(WARNING, () -> "lease not renewed lease=" + key, e.getCause());
            return false;
        } finally {
            runner.interrupt(); // ends its call at once
            runner.join();
        }
    }

    private boolean expired() {
        return renewed.longerAgoThan(timing.renewDeadline(), clock.now());
    }

    private boolean heldByAnother() {
        return observed.map(LeaseRecord::of)
                .map(record -> !record.holder().equals(identity) && !record.holder().isEmpty())
                .orElse(false);
    }

    private void stopLeading() {
        if (leading) {
            leading = false;
            status.set(0);
            LOG.log(WARNING, () -> "lost leadership lease=" + key + " identity=" + identity);
            listener.onStoppedLeading();
        }
    }

    private boolean tryAcquireOrRenew() throws InterruptedException {
        try {
            boolean held = tryLease();
            problem = "";
            return held;
        } catch (ApiException.Conflict | ApiException.AlreadyExists e) {
            LOG.log(
                    DEBUG,
                    () ->
                            "another process took the lease first lease="
                                    + key
                                    + " "
                                    + e.getMessage());
            return false;
        } catch (ApiException e) {
            tell(e);
            return false;
        }
    }

    private void tell(ApiException failure) {
        var text = failure.getMessage();
        if (!text.equals(problem)) {
            var level = failure instanceof ApiException.Unreachable ? DEBUG : WARNING;
            LOG.log(
                    level,
                    () -> "cannot acquire or renew the lease lease=" + key + " error=" + text);
        }
        problem = text;
    }

    private boolean tryLease() throws ApiException, InterruptedException {
        var now = Instant.now();
        if (observed.isPresent() && mine(observed.get()) && valid(observed.get()) && renew(now)) {
            return true;
        }
        var found = client.find(Types.LEASE, key);
        if (found.isEmpty()) {
            var fresh = new LeaseRecord(identity, timing.lease(), now, now, 0);
            observe(client.create(Types.LEASE, fresh.create(key)));
            return true;
        }
        if (observed.isEmpty() || !observed.get().sameAt(found.get(), "spec")) {
            observe(found.get());
        }
        var record = LeaseRecord.of(found.get());
        if (!record.holder().isEmpty() && !mine(found.get()) && valid(found.get())) {
            return false;
        }
        observe(client.replace(Types.LEASE, taken(record, now).on(found.get())));
        return true;
    }

    /** Renews from what we know, without reading first; false if that state is out of date. */
    private boolean renew(Instant now) throws InterruptedException {
        try {
            var record = taken(LeaseRecord.of(observed.orElseThrow()), now);
            observe(client.replace(Types.LEASE, record.on(observed.get())));
            return true;
        } catch (ApiException e) {
            slowRenewals.increment();
            LOG.log(
                    DEBUG,
                    () ->
                            "fast renewal failed, reading the lease first lease="
                                    + key
                                    + " error="
                                    + e.getMessage());
            return false;
        }
    }

    private LeaseRecord taken(LeaseRecord former, Instant now) {
        boolean mine = former.holder().equals(identity);
        return new LeaseRecord(
                identity,
                timing.lease(),
                mine ? former.acquired() : now,
                now,
                former.transitions() + (mine ? 0 : 1));
    }

    private void observe(KubeObject lease) {
        observed = Optional.of(lease);
        observedNanos = clock.now().nanos();
    }

    private boolean mine(KubeObject lease) {
        return LeaseRecord.of(lease).holder().equals(identity);
    }

    private boolean valid(KubeObject lease) {
        return clock.now().nanos() - observedNanos < LeaseRecord.of(lease).lease().toNanos();
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
        boolean held = leading;
        thread.interrupt();
        try {
            thread.join(timing.renewDeadline());
            if (held) {
                release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }

    private void release() throws InterruptedException {
        try {
            var lease = client.find(Types.LEASE, key);
            if (lease.isPresent() && mine(lease.get())) {
                var now = Instant.now();
                var record = LeaseRecord.of(lease.get());
                var given =
                        new LeaseRecord("", Duration.ofSeconds(1), now, now, record.transitions());
                client.replace(Types.LEASE, given.on(lease.get()));
            }
        } catch (ApiException e) {
            LOG.log(
                    WARNING,
                    () -> "cannot release the lease lease=" + key + " error=" + e.getMessage());
        }
    }
}
