package lvms.k8s.queue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Keys that wait for a worker. A key is queued once, however often it is added. While a worker has
 * it, adding it leads to exactly one more run after {@link #done}. These are the semantics of
 * client-go's queue.
 *
 * <p>Any thread may call. Delays use a monotonic clock. There is no timer thread: workers waiting
 * in {@link #take} wake when a key becomes due.
 *
 * @param <K> the keys; equal keys are the same work
 */
public final class WorkQueue<K> {
    private record Delayed<K>(K key, long dueNanos) {}

    private final Backoff backoff;
    private final LongSupplier nanoClock;
    private final QueueMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition idle = lock.newCondition(); // separate, or it would swallow a signal
    private final Deque<K> queue = new ArrayDeque<>();
    private final Set<K> dirty = new HashSet<>();
    private final Map<K, Long> processing = new HashMap<>();
    private final Map<K, Delayed<K>> delayed = new HashMap<>();
    private final PriorityQueue<Delayed<K>> byDueTime =
            new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));
    private final Map<K, Integer> failures = new HashMap<>();
    private final Map<K, Long> addedNanos = new HashMap<>();
    private boolean shutDown;

    /** Returns an empty queue. */
    public WorkQueue(Backoff backoff, QueueMetrics metrics) {
        this(backoff, metrics, System::nanoTime);
    }

    WorkQueue(Backoff backoff, QueueMetrics metrics, LongSupplier nanoClock) {
        this.backoff = backoff;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
        metrics.observe(this::depth, this::unfinishedSeconds, this::longestSeconds);
    }

    /** Asks for a run as soon as a worker is free. */
    public void add(K key) {
        lock.lock();
        try {
            enqueue(key);
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a run after the delay; an earlier run already asked for stays. */
    public void addAfter(K key, Duration delay) {
        lock.lock();
        try {
            if (shutDown) {
                return;
            }
            if (!delay.isPositive()) {
                enqueue(key);
                return;
            }
            var later = new Delayed<>(key, nanoClock.getAsLong() + delay.toNanos());
            var known = delayed.get(key);
            if (known == null || later.dueNanos() - known.dueNanos() < 0) {
                byDueTime.remove(known);
                delayed.put(key, later);
                byDueTime.add(later);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts a failure of the key and asks for a run after the back-off. */
    public void addAfterFailure(K key) {
        int count;
        lock.lock();
        try {
            count = failures.merge(key, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
        metrics.retried();
        addAfter(key, backoff.after(count));
    }

    /** Forgets the failures of the key; a queued key stays queued. */
    public void forget(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often the key failed in a row. */
    public int failures(K key) {
        lock.lock();
        try {
            return failures.getOrDefault(key, 0);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a key and hands it to the caller, who must call {@link #done}; empty after
     * shutdown.
     */
    public Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                var next = next();
                if (next.isPresent() || shutDown) {
                    return next;
                }
                var due = byDueTime.peek();
                if (due == null) {
                    changed.await();
                } else {
                    changed.awaitNanos(due.dueNanos() - nanoClock.getAsLong());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #take}, without waiting. */
    Optional<K> poll() {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    private Optional<K> next() {
        if (shutDown) {
            return Optional.empty();
        }
        long now = nanoClock.getAsLong();
        while (!byDueTime.isEmpty() && byDueTime.peek().dueNanos() - now <= 0) {
            var due = byDueTime.poll();
            delayed.remove(due.key());
            enqueue(due.key());
        }
        var key = queue.poll();
        if (key == null) {
            return Optional.empty();
        }
        dirty.remove(key);
        processing.put(key, now);
        metrics.waited(now - addedNanos.remove(key));
        if (!queue.isEmpty()) {
            changed.signal(); // what has just become due may be work for several
        }
        return Optional.of(key);
    }

    private void enqueue(K key) {
        if (shutDown || !dirty.add(key)) {
            return;
        }
        metrics.added();
        addedNanos.put(key, nanoClock.getAsLong());
        if (!processing.containsKey(key)) {
            queue.add(key);
            changed.signal();
        }
    }

    /** Gives a key back; if it was added meanwhile, it is queued again. */
    public void done(K key) {
        lock.lock();
        try {
            var started = processing.remove(key);
            if (started != null) {
                metrics.worked(nanoClock.getAsLong() - started);
            }
            if (dirty.contains(key)) {
                queue.add(key);
                changed.signal();
            }
            if (processing.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Accepts and hands out no more keys; waiting workers get empty. */
    public void shutDown() {
        lock.lock();
        try {
            shutDown = true;
            queue.clear();
            dirty.clear();
            addedNanos.clear();
            delayed.clear();
            byDueTime.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no worker has a key; returns false on timeout. */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!processing.isEmpty() && left > 0) {
                left = idle.awaitNanos(left);
            }
            return processing.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private double depth() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private double unfinishedSeconds() {
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            double sum = 0;
            for (long started : processing.values()) {
                sum += (now - started) / 1e9;
            }
            return sum;
        } finally {
            lock.unlock();
        }
    }

    private double longestSeconds() {
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            double longest = 0;
            for (long started : processing.values()) {
                longest = Math.max(longest, (now - started) / 1e9);
            }
            return longest;
        } finally {
            lock.unlock();
        }
    }
}
