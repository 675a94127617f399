package lvms.node.capacity;

import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.proto.lvmd.WatchResponse;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The gauges of volume groups and of what fits into them, one series per device class. */
final class GroupMetrics {
    private final String node;
    private final Family<Gauge> size;
    private final Family<Gauge> available;
    private final Family<Gauge> metadataSize;
    private final Family<Gauge> metadataUsed;
    private final Family<Gauge> overprovisioned;
    private final Family<Gauge> capacity;
    private Set<String> shown = Set.of();

    GroupMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        size =
                gauge(
                        registry,
                        "topolvm_volumegroup_size_bytes",
                        "Size of the volume group, in bytes.");
        available =
                gauge(
                        registry,
                        "topolvm_volumegroup_available_bytes",
                        "Free bytes of the volume group, without the spare of a thick class.");
        metadataSize =
                gauge(
                        registry,
                        "lvms_volumegroup_metadata_size_bytes",
                        "How large LVM's metadata of the volume group may become, in bytes: half of"
                                + " its smallest area. It cannot grow.");
        metadataUsed =
                gauge(
                        registry,
                        "lvms_volumegroup_metadata_used_bytes",
                        "Size of LVM's metadata of the volume group, in bytes.");
        overprovisioned =
                gauge(
                        registry,
                        "topolvm_thinpool_overprovisioned_available",
                        "Bytes of volumes that the thin pool still promises.");
        capacity =
                gauge(
                        registry,
                        "lvms_capacity_bytes",
                        "The largest volume that the device class takes now, in bytes.");
    }

    private static Family<Gauge> gauge(MetricsRegistry registry, String name, String help) {
        return registry.gauge(name, help, "node", "device_class");
    }

    /** Shows a report; a class that is gone, or whose group is, has no series of it. */
    void show(DeviceClasses classes, List<VolumeGroupReport> groups, Map<String, Long> bytes) {
        for (var deviceClass : classes.classes()) {
            show(deviceClass, groupOf(deviceClass, groups), bytes.get(deviceClass.name()));
        }
        var gone = new HashSet<>(shown);
        gone.removeAll(bytes.keySet());
        gone.forEach(this::remove);
        shown = Set.copyOf(bytes.keySet());
    }

    /** Shows what the lvmd of another process tells. */
    void show(WatchResponse state) {
        var names = new HashSet<String>();
        for (var item : state.getItemsList()) {
            var name = item.getDeviceClass();
            names.add(name);
            size.with(node, name).set(item.getSizeBytes());
            available.with(node, name).set(item.getFreeBytes());
            show(name, item.hasThinPool(), LvmdCapacity.bytes(item));
        }
        shown.stream().filter(name -> !names.contains(name)).forEach(this::remove);
        shown = Set.copyOf(names);
    }

    private static Optional<VolumeGroup> groupOf(
            NodeDeviceClass deviceClass, List<VolumeGroupReport> groups) {
        return groups.stream()
                .map(VolumeGroupReport::group)
                .filter(group -> group.name().equals(deviceClass.volumeGroup()))
                .findFirst();
    }

    private void show(NodeDeviceClass deviceClass, Optional<VolumeGroup> group, long bytes) {
        var name = deviceClass.name();
        boolean thin = deviceClass.thin().isPresent();
        if (group.isEmpty()) {
            for (var family : List.of(size, available, metadataSize, metadataUsed)) {
                family.remove(node, name);
            }
        } else {
            long spare = thin ? 0 : deviceClass.spareBytes();
            size.with(node, name).set(group.get().sizeBytes());
            available.with(node, name).set(Math.max(0, group.get().freeBytes() - spare));
            long used = group.get().metadataUsedBytes();
            metadataSize.with(node, name).set(used + group.get().metadataFreeBytes());
            metadataUsed.with(node, name).set(used);
        }
        show(name, thin, bytes);
    }

    private void show(String name, boolean thin, long bytes) {
        capacity.with(node, name).set(bytes);
        if (thin) {
            overprovisioned.with(node, name).set(bytes);
        } else {
            overprovisioned.remove(node, name);
        }
    }

    private void remove(String deviceClass) {
        var all = List.of(size, available, metadataSize, metadataUsed, overprovisioned, capacity);
        for (var family : all) {
            family.remove(node, deviceClass);
        }
    }
}
