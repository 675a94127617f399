package lvms.operator.volume;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What each node has free, minus what was promised but is not in the node's report yet.
 *
 * <p>A promise is made before its LogicalVolume exists and ends when the node's report has fallen
 * by its size. The report and the volume's status come over different watches, in any order: a
 * report that falls before the status is seen counts against the promise too. A promise whose
 * volume is there but whose bytes no report ever showed (a deletion elsewhere hid them) ends after
 * {@link #SETTLE}. Any thread may use it.
 */
final class Ledger {
    /** How long a finished volume may be missing in its node's report. */
    static final Duration SETTLE = Duration.ofSeconds(5);

    /** How long a promise lasts whose object never appeared: longer than any request. */
    static final Duration UNSEEN = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final Map<Slot, Long> reported = new HashMap<>();
    private final Map<String, Promise> promises = new LinkedHashMap<>();

    private static final class Promise {
        private final Slot slot;
        private long bytes;
        private Instant ends; // null: as long as the node is at work
        private boolean finished;

        private Promise(Slot slot, long bytes, Instant ends) {
            this.slot = slot;
            this.bytes = bytes;
            this.ends = ends;
        }
    }

    Ledger(InstantSource clock) {
        this.clock = clock;
    }

    /** Notes what a node says it has free. */
    synchronized void report(Slot slot, long bytes) {
        var before = reported.put(slot, bytes);
        if (before != null && bytes < before) {
            redeem(slot, before - bytes);
        }
    }

    /** Forgets a node's class. */
    synchronized void forget(Slot slot) {
        reported.remove(slot);
    }

    /**
     * Returns what can still be promised, in bytes; empty if the node does not report the class.
     */
    synchronized OptionalLong free(Slot slot) {
        dropExpired();
        var bytes = reported.get(slot);
        return bytes == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, bytes - promised(slot)));
    }

    /** Promises bytes if there are that many; a former promise of the same name is replaced. */
    synchronized boolean reserve(String name, Slot slot, long bytes) {
        var former = promises.remove(name);
        if (free(slot).orElse(-1) >= bytes) {
            promises.put(name, new Promise(slot, bytes, clock.instant().plus(UNSEEN)));
            return true;
        }
        if (former != null) {
            promises.put(name, former);
        }
        return false;
    }

    /** Notes that the object of a promise exists and its node is at work. */
    synchronized void working(String name, Slot slot, long bytes) {
        var promise = promises.get(name);
        if (promise == null) {
            promises.put(name, new Promise(slot, bytes, null));
        } else {
            promise.ends = null;
            promise.finished = false;
        }
    }

    /** Notes that the node has finished; the promise stays until the report shows it. */
    synchronized void finished(String name) {
        var promise = promises.get(name);
        if (promise != null && promise.bytes <= 0) {
            promises.remove(name);
        } else if (promise != null && promise.ends == null) {
            promise.ends = clock.instant().plus(SETTLE);
            promise.finished = true;
        }
    }

    /** Takes a promise back. */
    synchronized void release(String name) {
        promises.remove(name);
    }

    private long promised(Slot slot) {
        long sum = 0;
        for (var promise : promises.values()) {
            if (promise.slot.equals(slot)) {
                sum += promise.bytes;
            }
        }
        return sum;
    }

    /** Counts a fall of the report against the promises, finished ones first. */
    private void redeem(Slot slot, long fall) {
        dropExpired();
        long left = fall;
        var open = new ArrayList<Promise>();
        for (var promise : List.copyOf(promises.entrySet())) {
            if (!promise.getValue().slot.equals(slot)) {
                continue;
            }
            if (!promise.getValue().finished) {
                open.add(promise.getValue());
            } else {
                left = pay(promise.getValue(), left);
                if (promise.getValue().bytes == 0) {
                    promises.remove(promise.getKey());
                }
            }
        }
        for (var promise : open) {
            left = pay(promise, left); // stays with 0 bytes, or its object would promise anew
        }
    }

    private static long pay(Promise promise, long amount) {
        long paid = Math.min(promise.bytes, amount);
        promise.bytes -= paid;
        return amount - paid;
    }

    private void dropExpired() {
        var now = clock.instant();
        promises.values().removeIf(promise -> promise.ends != null && now.isAfter(promise.ends));
    }
}
