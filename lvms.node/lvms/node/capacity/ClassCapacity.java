package lvms.node.capacity;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.AllocationSettings;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.pool.PoolReader;
import lvms.node.pool.PoolRefusals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one more volume of a class can hold, in bytes. Thick: the largest volume that LVM would make
 * now, minus the spare. Thin: the pool's size times the overprovision ratio minus the virtual sizes
 * of the volumes in it; nothing in a pool that gets no new volumes.
 */
public final class ClassCapacity {
    /** What LVM writes about one more volume at most, tags included (seen: 400 to 900 bytes). */
    private static final long METADATA_OF_A_VOLUME = 1536;

    private final AllocationSettings settings;
    private final PoolRefusals pools;
    private final LvmRefusals refused = new LvmRefusals();

    /**
     * @param settings how LVM allocates on this machine
     * @param pools the pools that get no new volumes
     */
    public ClassCapacity(AllocationSettings settings, PoolRefusals pools) {
        this.settings = settings;
        this.pools = pools;
    }

    /** For an LVM without settings of its own, on a machine where nobody looks after pools. */
    public static ClassCapacity standard() {
        return new ClassCapacity(AllocationSettings.DEFAULTS, new PoolRefusals());
    }

    /** Returns the pools that get no new volumes. */
    public PoolRefusals pools() {
        return pools;
    }

    /** Notes that LVM had no room for a volume, in a group that looked like this. */
    public void refused(NodeDeviceClass deviceClass, long sizeBytes, VolumeGroup group) {
        refused.add(deviceClass.name(), sizeBytes, group);
    }

    /** Returns the capacity of each class; a class whose group or pool is missing has none. */
    Map<String, Long> of(DeviceClasses classes, List<VolumeGroupReport> groups) {
        var bytes = new TreeMap<String, Long>();
        for (var deviceClass : classes.classes()) {
            long capacity =
                    groups.stream()
                            .filter(g -> g.group().name().equals(deviceClass.volumeGroup()))
                            .findFirst()
                            .map(group -> announced(deviceClass, group))
                            .orElse(0L);
            bytes.put(deviceClass.name(), capacity);
        }
        return bytes;
    }

    /** Returns what is said of a class; nothing, if no new volume of it can be made. */
    public long announced(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        return deviceClass.refusal().isPresent() ? 0 : of(deviceClass, report);
    }

    /** Returns what one more volume of a class can hold, in bytes; never negative. */
    public long of(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        if (!takesVolumes(deviceClass, report.group())) {
            return 0; // LVM refuses to make anything in it
        }
        long bytes =
                switch (deviceClass.provisioning()) {
                    case Provisioning.Thick() ->
                            thickBytes(deviceClass, report) - deviceClass.spareBytes();
                    case Provisioning.Thin thin -> thinBytes(thin, report);
                };
        return refused.most(deviceClass.name(), report, Math.max(0, bytes));
    }

    private static boolean takesVolumes(NodeDeviceClass deviceClass, VolumeGroup group) {
        boolean changeable =
                group.writable() && !group.exported() && group.missingPhysicalVolumes() == 0;
        boolean limited =
                group.mostLogicalVolumes() > 0
                        && group.logicalVolumes() >= group.mostLogicalVolumes();
        return changeable
                && !limited
                && group.metadataFreeBytes() >= METADATA_OF_A_VOLUME * parts(deviceClass);
    }

    /** Each image of a RAID volume is a volume of its own, and has another one for its metadata. */
    private static long parts(NodeDeviceClass deviceClass) {
        return 1 + 2L * deviceClass.images();
    }

    /** Uses the free space, as TopoLVM counts it, for a layout that the planner does not know. */
    private long thickBytes(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        return deviceClass.largestBytes(report, settings).orElse(report.group().freeBytes());
    }

    private long thinBytes(Provisioning.Thin thin, VolumeGroupReport report) {
        var pool = report.logicalVolume(thin.pool()).filter(LogicalVolume::isThinPool);
        if (pool.isEmpty() || refuses(pool.get(), report.group())) {
            return 0;
        }
        long virtual =
                report.thinVolumes(thin.pool()).stream().mapToLong(LogicalVolume::sizeBytes).sum();
        long limit = (long) Math.floor(thin.overprovisionRatio() * pool.get().sizeBytes());
        return limit - virtual;
    }

    private boolean refuses(LogicalVolume pool, VolumeGroup group) {
        return pools.of(pool.name()).isPresent()
                || PoolReader.glance(pool, group.extentSizeBytes()).refusalOfLvm().isPresent();
    }
}
