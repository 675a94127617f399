package lvms.node.vgmanager;

import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.vgmanager.plan.RaidReport;
import lvms.node.vgmanager.plan.Situation;

import java.util.List;
import java.util.Optional;

/** The gauges of RAID health, one series per device class of this node. */
final class RaidMetrics {
    private final String node;
    private final Family<Gauge> health;
    private final Family<Gauge> syncing;
    private final Family<Gauge> members;
    private final Family<Gauge> degraded;
    private final Family<Gauge> syncPercent;

    RaidMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        health =
                gauge(
                        registry,
                        "lvms_raid_health_status",
                        "Health of the RAID volumes: 0 healthy, 1 degraded, 2 failed.");
        syncing =
                gauge(
                        registry,
                        "lvms_raid_sync_in_progress",
                        "Whether a RAID volume is being synchronized.");
        members = gauge(registry, "lvms_raid_member_count", "Physical volumes of the group.");
        degraded =
                gauge(
                        registry,
                        "lvms_raid_degraded_count",
                        "Missing physical volumes of the group.");
        syncPercent =
                gauge(
                        registry,
                        "lvms_raid_sync_percent",
                        "How far the least synchronized RAID volume is, in percent.");
    }

    private static Family<Gauge> gauge(MetricsRegistry registry, String name, String help) {
        return registry.gauge(name, help, "node", "device_class");
    }

    /** Shows what a pass found; a class without RAID has no series. */
    void update(Situation s) {
        if (s.goal().raid().isPresent()) {
            set(s.goal().deviceClass(), StatusEntry.raid(s));
        }
    }

    private void set(String deviceClass, Optional<RaidReport> report) {
        of(health, deviceClass).set(report.map(r -> r.health().ordinal()).orElse(0));
        of(syncing, deviceClass).set(report.filter(RaidReport::syncing).isPresent() ? 1 : 0);
        of(members, deviceClass).set(report.map(RaidReport::members).orElse(0));
        of(degraded, deviceClass).set(report.map(RaidReport::degradedMembers).orElse(0));
        of(syncPercent, deviceClass)
                .set(report.map(r -> r.minimumSyncPercent().orElse(100)).orElse(100));
    }

    void remove(String deviceClass) {
        for (var family : List.of(health, syncing, members, degraded, syncPercent)) {
            family.remove(node, deviceClass);
        }
    }

    private Gauge of(Family<Gauge> family, String deviceClass) {
        return family.with(node, deviceClass);
    }
}
