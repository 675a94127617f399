package lvms.k8s.controller;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceVersions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What passes have written and the caches do not show yet. The controller that was built with it
 * holds back the next pass of a key until they do, so that no pass makes a second of what the last
 * one has just made. After 30 s the pass runs nevertheless, and a warning is logged.
 *
 * <p>Writes through an {@link Informer} are in its store at once and need none of this; deletions
 * and writes by other ways do. A write counts as shown once the informer has passed its resource
 * version, be it by an event, a bookmark or a list. Any thread may call.
 *
 * @param <K> the keys of the controller
 */
public final class Expectations<K> {
    /** How often a pass that is held back looks again: a bookmark reaches no handler. */
    static final Duration LOOK = Duration.ofMillis(100);

    private static final System.Logger LOG = System.getLogger(Expectations.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** One write; the version of a deletion is not known, so its object has to go. */
    private record Expected(Informer informer, KubeObject object, boolean deleted, long endNanos) {
        boolean shown() {
            return deleted ? isGone() : isReached(informer.resourceVersion()) || isStored();
        }

        /** A pass that waited for it has run long since; its key may never have another one. */
        boolean isForgotten(long nowNanos) {
            return nowNanos - endNanos >= DEADLINE.toNanos();
        }

        private boolean isReached(String version) {
            var written = object.resourceVersion();
            return written.equals(version) || ResourceVersions.newer(version, written);
        }

        private boolean isStored() {
            return informer.get(object.key())
                    .filter(stored -> isReached(stored.resourceVersion()))
                    .isPresent();
        }

        private boolean isGone() {
            return informer.get(object.key())
                    .filter(stored -> stored.uid().equals(object.uid()))
                    .filter(stored -> !stored.terminating())
                    .isEmpty();
        }
    }

    private final Map<K, List<Expected>> expected = new HashMap<>();
    private final LongSupplier nanoClock;

    /** Returns some that expect nothing yet. */
    public Expectations() {
        this(System::nanoTime);
    }

    Expectations(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Notes the answer to a write, made in a pass of the key, to an object of the informer. */
    public void written(K key, Informer informer, KubeObject written) {
        add(key, informer, written, false);
    }

    /** Notes that a pass of the key deleted an object of the informer, or began to. */
    public void deleted(K key, Informer informer, KubeObject deleted) {
        add(key, informer, deleted, true);
    }

    private synchronized void add(K key, Informer informer, KubeObject object, boolean deleted) {
        long now = nanoClock.getAsLong();
        long end = now + DEADLINE.toNanos();
        expected.values().removeIf(open -> open.stream().allMatch(one -> one.isForgotten(now)));
        expected.computeIfAbsent(key, _ -> new ArrayList<>())
                .add(new Expected(informer, object, deleted, end));
    }

    /** Returns whether a pass of the key has to wait. What is shown or too late is forgotten. */
    synchronized boolean hold(K key) {
        var open = expected.get(key);
        if (open == null) {
            return false;
        }
        open.removeIf(Expected::shown);
        open.removeIf(this::isOver);
        if (open.isEmpty()) {
            expected.remove(key);
        }
        return !open.isEmpty();
    }

    /** Returns of how many keys something is remembered. */
    synchronized int size() {
        return expected.size();
    }

    private boolean isOver(Expected one) {
        boolean over = nanoClock.getAsLong() - one.endNanos() >= 0;
        if (over) {
            LOG.log(
                    WARNING,
                    () ->
                            "cache does not show our write, reconciling without it type="
                                    + one.informer().type()
                                    + " object="
                                    + one.object().key());
        }
        return over;
    }
}
