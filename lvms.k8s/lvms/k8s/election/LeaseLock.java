package lvms.k8s.election;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.Counter;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One process's hold on a Lease. One thread at a time.
 *
 * <p>The holder's clock is never compared with ours: a lease counts as valid for its duration from
 * the moment we saw it change, on our monotonic clock. The lease is ours only if the answer to our
 * own write names us.
 */
final class LeaseLock {
    private static final System.Logger LOG = System.getLogger(LeaseLock.class.getName());
    private static final int RELEASES = 3;

    private final KubeClient client;
    private final ObjectKey key;
    private final String identity;
    private final LeaseTiming timing;
    private final Clock clock;
    private final Counter slowRenewals;
    private String problem = "";
    private Optional<KubeObject> observed = Optional.empty();
    private long observedNanos;
    private OptionalLong missingNanos = OptionalLong.empty();

    LeaseLock(KubeClient client, ObjectKey key, String identity, LeaseTiming timing, Clock clock) {
        this.client = client;
        this.key = key;
        this.identity = identity;
        this.timing = timing;
        this.clock = clock;
        this.slowRenewals =
                client.metrics()
                        .counter(
                                "leader_election_slowpath_total",
                                "Renewals that had to read the lease first.",
                                "name")
                        .with(key.name());
    }

    /** Takes the lease if nobody has it, or renews it; returns whether this process has it now. */
    boolean hold() throws InterruptedException {
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
            lookAgain();
            return false;
        } catch (ApiException e) {
            var level = e instanceof ApiException.Unreachable ? DEBUG : WARNING;
            tell(level, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            tell(WARNING, e.toString());
            return false;
        }
    }

    /** Whoever lost the lease to another one knows it at once, not at the next try. */
    private void lookAgain() throws InterruptedException {
        try {
            client.find(Types.LEASE, key).ifPresent(this::look);
        } catch (ApiException e) {
            tell(DEBUG, e.getMessage());
        }
    }

    private void tell(System.Logger.Level level, String text) {
        if (!text.equals(problem)) {
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
            if (mayStillLead()) {
                return false;
            }
            var fresh = new LeaseRecord(identity, timing.lease(), now, now, 0);
            return written(client.create(Types.LEASE, fresh.create(key)));
        }
        missingNanos = OptionalLong.empty();
        look(found.get());
        var record = LeaseRecord.of(found.get());
        if (!record.holder().isEmpty() && !mine(found.get()) && valid(found.get())) {
            return false;
        }
        return written(client.replace(Types.LEASE, taken(record, now).on(found.get())));
    }

    /**
     * Somebody deleted the Lease of another process: that one makes it again when it renews it, or
     * has given up by its renew deadline, which is ours too.
     */
    private boolean mayStillLead() {
        if (!heldByAnother() || !valid(observed.orElseThrow())) {
            return false;
        }
        long now = clock.now().nanos();
        if (missingNanos.isEmpty()) {
            missingNanos = OptionalLong.of(now);
        }
        return now - missingNanos.getAsLong() < timing.renewDeadline().toNanos();
    }

    /** Renews from what we know, without reading first; false if that state is out of date. */
    private boolean renew(Instant now) throws InterruptedException {
        try {
            var record = taken(LeaseRecord.of(observed.orElseThrow()), now);
            return written(client.replace(Types.LEASE, record.on(observed.get())));
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

    private boolean written(KubeObject answer) {
        observe(answer);
        return mine(answer);
    }

    /** The lease is valid from the moment when we saw it change, and not from each look. */
    private void look(KubeObject found) {
        if (observed.isEmpty() || !observed.get().sameAt(found, "spec")) {
            observe(found);
        }
    }

    private void observe(KubeObject found) {
        observed = Optional.of(found);
        observedNanos = clock.now().nanos();
    }

    private boolean mine(KubeObject found) {
        return LeaseRecord.of(found).holder().equals(identity);
    }

    private boolean valid(KubeObject found) {
        return left(found).isPositive();
    }

    private Duration left(KubeObject found) {
        return LeaseRecord.of(found).lease().minusNanos(clock.now().nanos() - observedNanos);
    }

    /** Returns how long the lease that was seen last is valid; zero if none was, or it is not. */
    Duration left() {
        return observed.map(this::left).filter(Duration::isPositive).orElse(Duration.ZERO);
    }

    /** Returns whether the last look showed another process as the holder. */
    boolean heldByAnother() {
        return observed.map(found -> LeaseRecord.of(found).holder())
                .filter(holder -> !holder.isEmpty() && !holder.equals(identity))
                .isPresent();
    }

    /** Returns whether the last try failed for another reason than that the lease is taken. */
    boolean troubled() {
        return !problem.isEmpty();
    }

    /** Gives the lease away if this process has it. */
    void release() throws InterruptedException {
        for (int tries = 0; tries < RELEASES; tries++) {
            if (released()) {
                return;
            }
        }
        LOG.log(WARNING, () -> "cannot release the lease, somebody writes it lease=" + key);
    }

    /** Returns whether there is nothing more to do; a renewal that came late may be in the way. */
    private boolean released() throws InterruptedException {
        try {
            var found = client.find(Types.LEASE, key);
            if (found.isPresent() && mine(found.get())) {
                var now = Instant.now();
                var record = LeaseRecord.of(found.get());
                var given =
                        new LeaseRecord("", Duration.ofSeconds(1), now, now, record.transitions());
                client.replace(Types.LEASE, given.on(found.get()));
            }
            return true;
        } catch (ApiException.Conflict _) {
            return false;
        } catch (ApiException e) {
            LOG.log(
                    WARNING,
                    () -> "cannot release the lease lease=" + key + " error=" + e.getMessage());
            return true;
        }
    }
}
