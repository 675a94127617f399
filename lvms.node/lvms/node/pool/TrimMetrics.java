package lvms.node.pool;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;

import java.time.Instant;

/** What trimming brings, one series per device class of this node that is trimmed. */
final class TrimMetrics {
    private final String node;
    private final Family<Counter> reclaimed;
    private final Family<Gauge> ended;

    TrimMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        reclaimed =
                registry.counter(
                        "lvms_trim_reclaimed_bytes_total",
                        "Bytes that volumes gave back to the thin pool when their filesystems were"
                                + " trimmed; what a snapshot shares stays used.",
                        "node",
                        "device_class");
        ended =
                registry.gauge(
                        "lvms_trim_end_timestamp_seconds",
                        "When the filesystems in the thin pool were last trimmed, since the agent"
                                + " started.",
                        "node",
                        "device_class");
    }

    void reclaimed(String deviceClass, long bytes) {
        reclaimed.with(node, deviceClass).add(bytes);
    }

    void ended(String deviceClass, Instant when) {
        ended.with(node, deviceClass).set(when.getEpochSecond());
    }

    void remove(String deviceClass) {
        reclaimed.remove(node, deviceClass);
        ended.remove(node, deviceClass);
    }
}
