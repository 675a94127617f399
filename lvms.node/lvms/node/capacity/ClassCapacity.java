package lvms.node.capacity;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one more volume of a class can hold, in bytes. Thick: the largest volume that LVM would make
 * now, minus the spare. Thin: the pool's size times the overprovision ratio minus the virtual sizes
 * of the volumes in it.
 */
public final class ClassCapacity {
    private ClassCapacity() {}

    /** Returns the capacity of each class; a class whose group or pool is missing has none. */
    static Map<String, Long> of(DeviceClasses classes, List<VolumeGroupReport> groups) {
        var bytes = new TreeMap<String, Long>();
        for (var deviceClass : classes.classes()) {
            long capacity =
                    groups.stream()
                            .filter(g -> g.group().name().equals(deviceClass.volumeGroup()))
                            .findFirst()
                            .map(group -> of(deviceClass, group))
                            .orElse(0L);
            bytes.put(deviceClass.name(), capacity);
        }
        return bytes;
    }

    /** Returns what one more volume of a class can hold, in bytes; never negative. */
    public static long of(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        var group = report.group();
        boolean changeable =
                group.writable() && !group.exported() && group.missingPhysicalVolumes() == 0;
        if (!changeable) {
            return 0; // LVM refuses to make anything in it
        }
        return switch (deviceClass.provisioning()) {
            case Provisioning.Thick() ->
                    Math.max(0, thickBytes(deviceClass, report) - deviceClass.spareBytes());
            case Provisioning.Thin thin -> thinBytes(thin, report);
        };
    }

    /** Uses the free space, as TopoLVM counts it, for a layout that the planner does not know. */
    private static long thickBytes(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        return deviceClass
                .largest(report)
                .map(largest -> largest.sizeBytes())
                .orElse(report.group().freeBytes());
    }

    private static long thinBytes(Provisioning.Thin thin, VolumeGroupReport report) {
        var pool = report.logicalVolume(thin.pool()).filter(LogicalVolume::isThinPool);
        if (pool.isEmpty()) {
            return 0;
        }
        long virtual =
                report.thinVolumes(thin.pool()).stream().mapToLong(LogicalVolume::sizeBytes).sum();
        long limit = (long) Math.floor(thin.overprovisionRatio() * pool.get().sizeBytes());
        return Math.max(0, limit - virtual);
    }
}
