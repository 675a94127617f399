package lvms.node.pool;

import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.device.ThinPoolUsage;

import java.util.List;

/** The gauges of thin pools, one series per device class of this node. */
public final class PoolMetrics {
    private final String node;
    private final Family<Gauge> data;
    private final Family<Gauge> metadata;
    private final Family<Gauge> size;
    private final Family<Gauge> level;
    private final Family<Gauge> refuses;

    public PoolMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        data =
                gauge(
                        registry,
                        "topolvm_thinpool_data_percent",
                        "How full the data of the thin pool is, in percent.");
        metadata =
                gauge(
                        registry,
                        "topolvm_thinpool_metadata_percent",
                        "How full the metadata of the thin pool is, in percent.");
        size =
                gauge(
                        registry,
                        "topolvm_thinpool_size_bytes",
                        "Size of the thin pool's data, in bytes.");
        level =
                gauge(
                        registry,
                        "lvms_thinpool_level",
                        "The highest of 80, 90 and 95 percent that data or metadata has reached,"
                                + " else 0.");
        refuses =
                gauge(
                        registry,
                        "lvms_thinpool_refuses",
                        "Whether the thin pool gets no new volumes: 1 if it does not.");
    }

    private static Family<Gauge> gauge(MetricsRegistry registry, String name, String help) {
        return registry.gauge(name, help, "node", "device_class");
    }

    void use(String deviceClass, ThinPoolUsage usage) {
        data.with(node, deviceClass).set(usage.dataUse() * 100);
        metadata.with(node, deviceClass).set(usage.metadataUse() * 100);
    }

    void guard(String deviceClass, long sizeBytes, PoolGuard guard) {
        size.with(node, deviceClass).set(sizeBytes);
        level.with(node, deviceClass).set(guard.level());
        refuses.with(node, deviceClass).set(guard.refusal().isPresent() ? 1 : 0);
    }

    /**
     * Shows what the lvmd of another process tells of a pool.
     *
     * @param dataPercent how full its data is
     * @param metadataPercent how full its metadata is
     */
    public void told(
            String deviceClass, long sizeBytes, double dataPercent, double metadataPercent) {
        data.with(node, deviceClass).set(dataPercent);
        metadata.with(node, deviceClass).set(metadataPercent);
        size.with(node, deviceClass).set(sizeBytes);
    }

    public void remove(String deviceClass) {
        for (var family : List.of(data, metadata, size, level, refuses)) {
            family.remove(node, deviceClass);
        }
    }
}
