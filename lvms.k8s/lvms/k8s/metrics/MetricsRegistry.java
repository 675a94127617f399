package lvms.k8s.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The metrics of a process.
 *
 * <p>Asking for a name twice gives the same family. Any thread may use it. Label values must come
 * from a bounded set: URL templates, never names of objects.
 */
public final class MetricsRegistry {
    /** Content type of {@link #text()}. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Map<String, Family<?>> families = new ConcurrentSkipListMap<>();
    private final List<Runnable> updates = new CopyOnWriteArrayList<>();
    private final boolean read;

    /** Returns an empty registry. */
    public MetricsRegistry() {
        this(true);
    }

    private MetricsRegistry(boolean read) {
        this.read = read;
    }

    /** Returns a registry that nobody reads: it keeps no series, and its text is empty. */
    public static MetricsRegistry unread() {
        return new MetricsRegistry(false);
    }

    public Family<Counter> counter(String name, String help, String... labelNames) {
        return family(Counter.class, name, "counter", help, labelNames, Counter::new);
    }

    public Family<Gauge> gauge(String name, String help, String... labelNames) {
        return family(Gauge.class, name, "gauge", help, labelNames, Gauge::new);
    }

    /**
     * Returns the histograms of this name.
     *
     * @param bounds upper bounds of the buckets, ascending, without infinity
     */
    public Family<Histogram> histogram(
            String name, String help, double[] bounds, String... labelNames) {
        var own = bounds.clone();
        return family(
                Histogram.class, name, "histogram", help, labelNames, () -> new Histogram(own));
    }

    /** Returns the summaries of this name, without quantiles. */
    public Family<Summary> summary(String name, String help, String... labelNames) {
        return family(Summary.class, name, "summary", help, labelNames, Summary::new);
    }

    /** Work before each reading. */
    @FunctionalInterface
    public interface Update extends AutoCloseable {
        /** Ends it; a reading that has begun may still do it once. */
        @Override
        void close();
    }

    /**
     * Calls {@code update} before each reading, so that it can set metrics whose series come and
     * go. It must be quick, and any thread may call it.
     *
     * @return ends it; whoever lives as long as the process has no need of it
     */
    public Update beforeReading(Runnable update) {
        if (!read) {
            return () -> {};
        }
        updates.add(update);
        return () -> updates.remove(update);
    }

    @SuppressWarnings("unchecked") // the type text identifies the class
    private <M> Family<M> family(
            Class<M> kind,
            String name,
            String type,
            String help,
            String[] labelNames,
            Supplier<M> maker) {
        var labels = List.of(labelNames);
        if (!read) {
            return new Family<>(name, type, help, labels, maker, false);
        }
        var family =
                families.computeIfAbsent(
                        name, n -> new Family<>(n, type, help, labels, maker, true));
        if (!family.type().equals(type) || !family.labelNames().equals(labels)) {
            throw new IllegalArgumentException(
                    name + " exists as another " + kind.getSimpleName() + " or with other labels");
        }
        return (Family<M>) family;
    }

    /** Returns the Prometheus text of all metrics, sorted by name. */
    public String text() {
        updates.forEach(Runnable::run);
        var out = new StringBuilder(8192);
        for (var family : families.values()) {
            PrometheusText.write(family, out);
        }
        return out.toString();
    }
}
