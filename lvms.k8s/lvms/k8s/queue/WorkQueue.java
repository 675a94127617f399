package lvms.k8s.queue;

import java.time.Duration;
import java.util.Comparator;
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
 * <p>Keys of a higher priority go first, and those of one priority in the order in which they were
 * added. Whoever adds a key that waits already can only raise its priority. A run that was asked
 * for while a worker has the key, after a failure or a delay, has the priority of that worker's.
 *
 * <p>Any thread may call. Delays use a monotonic clock. There is no timer thread: workers waiting
 * in {@link #take} wake when a key becomes due.
 *
 * @param <K> the keys; equal keys are the same work
 */
public final class WorkQueue<K> {
    /** The usual priority. */
    public static final int PRIORITY = 0;

    /** The priority of what is no news: the first list, and a resync; as in controller-runtime. */
    public static final int LOW_PRIORITY = -100;

    private record Delayed<K>(K key, int priority, long dueNanos) {}

    /** A key that wants a run. */
    private record Waiting<K>(K key, int priority, long order, long addedNanos) {}

    private record Running(int priority, long startedNanos) {}

    private final RateLimiter<K> limiter;
    private final LongSupplier nanoClock;
    private final QueueMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition idle = lock.newCondition(); // separate, or it would swallow a signal
    private final Map<K, Waiting<K>> waiting = new HashMap<>();
    // what no worker has; an entry counts only as long as it is the one in waiting
    private final PriorityQueue<Waiting<K>> queue =
            new PriorityQueue<>(
                    Comparator.<Waiting<K>>comparingInt(Waiting::priority)
                            .reversed()
                            .thenComparingLong(Waiting::order));
    private final Map<K, Running> processing = new HashMap<>();
    private final Map<K, Delayed<K>> delayed = new HashMap<>();
    private final PriorityQueue<Delayed<K>> byDueTime =
            new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));
    private final Set<Integer> measured = new HashSet<>();
    private long added;
    private boolean shutDown;

    /** Returns an empty queue. */
    public WorkQueue(RateLimiter<K> limiter, QueueMetrics metrics) {
        this(limiter, metrics, System::nanoTime);
    }

    WorkQueue(RateLimiter<K> limiter, QueueMetrics metrics, LongSupplier nanoClock) {
        this.limiter = new SafeLimiter<>(limiter);
        this.metrics = metrics;
        this.nanoClock = nanoClock;
        metrics.observe(this::unfinishedSeconds, this::longestSeconds);
        measure(PRIORITY);
    }

    private void measure(int priority) {
        if (measured.add(priority)) {
            metrics.observeDepth(priority, () -> depth(priority));
        }
    }

    /** Asks for a run as soon as a worker is free. */
    public void add(K key) {
        add(key, PRIORITY);
    }

    /** Asks for a run as soon as a worker is free and nothing of a higher priority waits. */
    public void add(K key, int priority) {
        lock.lock();
        try {
            enqueue(key, priority);
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
            var running = processing.get(key);
            int priority = running == null ? PRIORITY : running.priority();
            if (!delay.isPositive()) {
                enqueue(key, priority);
                return;
            }
            var later = new Delayed<>(key, priority, nanoClock.getAsLong() + delay.toNanos());
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
        metrics.retried();
        addAfter(key, limiter.delay(key));
    }

    /** Forgets the failures of the key; a queued key stays queued. */
    public void forget(K key) {
        limiter.forget(key);
    }

    /** Returns how often the key failed in a row. */
    public int failures(K key) {
        return limiter.failures(key);
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
            enqueue(due.key(), due.priority());
        }
        var first = queue.poll();
        while (first != null && waiting.get(first.key()) != first) {
            first = queue.poll(); // its priority was raised since
        }
        if (first == null) {
            return Optional.empty();
        }
        waiting.remove(first.key());
        processing.put(first.key(), new Running(first.priority(), now));
        metrics.waited(now - first.addedNanos());
        if (!queue.isEmpty()) {
            changed.signal(); // what has just become due may be work for several
        }
        return Optional.of(first.key());
    }

    private void enqueue(K key, int priority) {
        var known = waiting.get(key);
        if (shutDown || known != null && known.priority() >= priority) {
            return;
        }
        if (known == null) {
            metrics.added();
            known = new Waiting<>(key, priority, added++, nanoClock.getAsLong());
        }
        var entry = new Waiting<>(key, priority, known.order(), known.addedNanos());
        waiting.put(key, entry);
        measure(priority);
        if (!processing.containsKey(key)) {
            queue.add(entry);
            changed.signal();
        }
    }

    /** Gives a key back; if it was added meanwhile, it is queued again. */
    public void done(K key) {
        lock.lock();
        try {
            var running = processing.remove(key);
            if (running != null) {
                metrics.worked(nanoClock.getAsLong() - running.startedNanos());
            }
            var again = waiting.get(key);
            if (again != null) {
                queue.add(again);
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
            waiting.clear();
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

    private double depth(int priority) {
        lock.lock();
        try {
            return waiting.values().stream()
                    .filter(entry -> entry.priority() == priority)
                    .filter(entry -> !processing.containsKey(entry.key()))
                    .count();
        } finally {
            lock.unlock();
        }
    }

    private double unfinishedSeconds() {
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            double sum = 0;
            for (var running : processing.values()) {
                sum += (now - running.startedNanos()) / 1e9;
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
            for (var running : processing.values()) {
                longest = Math.max(longest, (now - running.startedNanos()) / 1e9);
            }
            return longest;
        } finally {
            lock.unlock();
        }
    }
}
