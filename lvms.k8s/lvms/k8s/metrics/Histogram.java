package lvms.k8s.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAdder;

/** A distribution in buckets. Any thread may use it. */
public final class Histogram {
    private final double[] bounds;
    private final AtomicLongArray counts;
    private final DoubleAdder sum = new DoubleAdder();

    Histogram(double[] bounds) {
        this.bounds = bounds;
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    /** Counts one value. */
    public void observe(double value) {
        int bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        counts.incrementAndGet(bucket);
        sum.add(value);
    }

    /** Counts the seconds since {@code startNanos} of {@link System#nanoTime()}. */
    public void observeSince(long startNanos) {
        observe((System.nanoTime() - startNanos) / 1e9);
    }

    /** Returns how many values were counted. */
    public long count() {
        long total = 0;
        for (int i = 0; i < counts.length(); i++) {
            total += counts.get(i);
        }
        return total;
    }

    public double sum() {
        return sum.sum();
    }

    double bound(int bucket) {
        return bucket < bounds.length ? bounds[bucket] : Double.POSITIVE_INFINITY;
    }

    int buckets() {
        return counts.length();
    }

    long countIn(int bucket) {
        return counts.get(bucket);
    }
}
