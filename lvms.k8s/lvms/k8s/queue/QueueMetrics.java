package lvms.k8s.queue;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;

import java.util.function.DoubleSupplier;

/** The {@code workqueue_*} metrics of one queue. */
public final class QueueMetrics {
    private static final double[] SECONDS = {
        1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000
    };
    private static final String[] LABELS = {"name", "controller"};

    private final MetricsRegistry registry;
    private final String name;
    private final Counter adds;
    private final Counter retries;
    private final Histogram queueDuration;
    private final Histogram workDuration;

    /** Returns the metrics of the queue of this name, which exist at zero from now on. */
    public QueueMetrics(MetricsRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        adds = registry.counter("workqueue_adds_total", "Keys added.", LABELS).with(name, name);
        retries =
                registry.counter("workqueue_retries_total", "Keys that failed.", LABELS)
                        .with(name, name);
        queueDuration =
                registry.histogram(
                                "workqueue_queue_duration_seconds",
                                "Time a key waited.",
                                SECONDS,
                                LABELS)
                        .with(name, name);
        workDuration =
                registry.histogram(
                                "workqueue_work_duration_seconds",
                                "Time a pass took.",
                                SECONDS,
                                LABELS)
                        .with(name, name);
    }

    void observeDepth(int priority, DoubleSupplier depth) {
        registry.gauge(
                        "workqueue_depth",
                        "Keys waiting in the queue.",
                        "name",
                        "controller",
                        "priority")
                .with(name, name, Integer.toString(priority))
                .from(depth);
    }

    void observe(DoubleSupplier unfinishedSeconds, DoubleSupplier longestSeconds) {
        registry.gauge("workqueue_unfinished_work_seconds", "Sum of the running passes.", LABELS)
                .with(name, name)
                .from(unfinishedSeconds);
        registry.gauge(
                        "workqueue_longest_running_processor_seconds",
                        "The longest running pass.",
                        LABELS)
                .with(name, name)
                .from(longestSeconds);
    }

    void added() {
        adds.increment();
    }

    void retried() {
        retries.increment();
    }

    void waited(long nanos) {
        queueDuration.observe(nanos / 1e9);
    }

    void worked(long nanos) {
        workDuration.observe(nanos / 1e9);
    }
}
