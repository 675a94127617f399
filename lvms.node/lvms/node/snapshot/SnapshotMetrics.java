package lvms.node.snapshot;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;

/** What is seen of the stores of thick snapshots; without such snapshots there is no series. */
public final class SnapshotMetrics {
    private static final String[] GROUP = {"node", "volume_group"};

    private final String node;
    private final Family<Gauge> fullest;
    private final Family<Counter> lost;

    public SnapshotMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        fullest =
                registry.gauge(
                        "lvms_thick_snapshot_fullest_percent",
                        "How full the fullest store of the snapshots of thick volumes is, in"
                                + " percent.",
                        GROUP);
        lost =
                registry.counter(
                        "lvms_thick_snapshots_lost_total",
                        "Snapshots of thick volumes whose store overflowed.",
                        GROUP);
    }

    void fullest(String vg, double percent) {
        fullest.with(node, vg).set(percent);
    }

    void countLost(String vg) {
        lost.with(node, vg).increment();
    }

    void remove(String vg) {
        fullest.remove(node, vg);
    }
}
