package lvms.node.lvmd;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.capacity.ClassCapacity;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Marks;
import lvms.proto.lvmd.ThinPoolItem;
import lvms.proto.lvmd.WatchItem;
import lvms.proto.lvmd.WatchResponse;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns LVM's state into lvmd's messages. */
public final class Messages {
    /** The tags on the wire of an LV that has none: TopoLVM splits an empty text. */
    private static final List<String> NO_TAGS = List.of("");

    private Messages() {}

    /** Returns the answer to a creation: only name, size and device number. */
    static lvms.proto.lvmd.LogicalVolume made(LogicalVolume volume) {
        return identity(volume).build();
    }

    /** Returns an entry of the list, with every field. */
    static lvms.proto.lvmd.LogicalVolume listed(LogicalVolume volume) {
        return identity(volume)
                .addAllTags(
                        volume.tags().isEmpty()
                                ? NO_TAGS
                                : volume.tags().stream().sorted().toList())
                .setPath(volume.path().map(Object::toString).orElse(""))
                .setAttr(volume.attributes().text())
                .build();
    }

    private static lvms.proto.lvmd.LogicalVolume.Builder identity(LogicalVolume volume) {
        return lvms.proto.lvmd.LogicalVolume.newBuilder()
                .setName(volume.name().lv())
                .setSizeBytes(sizeBytes(volume))
                .setDevMajor(volume.major().orElse(0))
                .setDevMinor(volume.minor().orElse(0));
    }

    /**
     * Returns the size; a classic snapshot has that of its origin, since its own is the size of its
     * store.
     */
    static long sizeBytes(LogicalVolume volume) {
        return volume.origin().isPresent() && volume.pool().isEmpty()
                ? volume.originSizeBytes()
                : volume.sizeBytes();
    }

    /**
     * Returns whether a volume belongs to a class: it is in the pool of the class, or thick in its
     * group. Callers take a volume that they are shown for one that is ready.
     */
    static boolean belongs(LogicalVolume volume, NodeDeviceClass deviceClass) {
        return deviceClass
                .thin()
                .map(thin -> volume.isThin() && volume.pool().equals(Optional.of(thin.pool())))
                .orElse(!volume.isThin() && !volume.isThinPool() && !Marks.isHidden(volume));
    }

    /** Returns the pool of a class in the report of its group. */
    public static Optional<LogicalVolume> pool(VolumeGroupReport report, Thin thin) {
        return report.logicalVolume(thin.pool()).filter(LogicalVolume::isThinPool);
    }

    /**
     * Returns the state of all classes; a class whose group or pool is not on this node is left
     * out.
     *
     * @param groups the groups on this node, by name
     */
    static WatchResponse state(
            DeviceClasses classes, Map<String, VolumeGroupReport> groups, ClassCapacity capacity) {
        var response = WatchResponse.newBuilder();
        for (var report : groups.values()) {
            var inGroup = classes.inVolumeGroup(report.group().name());
            inGroup.stream()
                    .filter(c -> c.thin().isPresent())
                    .forEach(c -> add(response, c, report, capacity));
            inGroup.stream()
                    .filter(c -> c.thin().isEmpty())
                    .forEach(c -> add(response, c, report, capacity));
        }
        return response.build();
    }

    private static void add(
            WatchResponse.Builder response,
            NodeDeviceClass deviceClass,
            VolumeGroupReport report,
            ClassCapacity capacity) {
        var item = item(deviceClass, report, capacity);
        item.ifPresent(response::addItems);
        if (deviceClass.isDefault()) {
            item.map(
                            i ->
                                    i.hasThinPool()
                                            ? i.getThinPool().getOverprovisionBytes()
                                            : i.getFreeBytes())
                    .ifPresent(response::setFreeBytes);
        }
    }

    private static Optional<WatchItem> item(
            NodeDeviceClass deviceClass, VolumeGroupReport report, ClassCapacity capacity) {
        var item =
                WatchItem.newBuilder()
                        .setDeviceClass(deviceClass.name())
                        .setSizeBytes(report.group().sizeBytes());
        if (deviceClass.thin().isEmpty()) {
            return Optional.of(item.setFreeBytes(capacity.announced(deviceClass, report)).build());
        }
        return pool(report, deviceClass.thin().get())
                .map(
                        pool ->
                                item.setFreeBytes(report.group().freeBytes())
                                        .setThinPool(pool(deviceClass, report, pool, capacity))
                                        .build());
    }

    private static ThinPoolItem pool(
            NodeDeviceClass deviceClass,
            VolumeGroupReport report,
            LogicalVolume pool,
            ClassCapacity capacity) {
        return ThinPoolItem.newBuilder()
                .setDataPercent(pool.dataPercent().orElse(0))
                .setMetadataPercent(pool.metadataPercent().orElse(0))
                .setOverprovisionBytes(capacity.announced(deviceClass, report))
                .setSizeBytes(pool.sizeBytes())
                .build();
    }
}
