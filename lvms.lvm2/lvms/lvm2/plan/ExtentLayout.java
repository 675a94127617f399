package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Where a volume group has free extents, and how LVM may use them.
 *
 * @param extentSizeBytes size of an extent
 * @param allocation the group's policy
 * @param changeable whether LVM would change the group at all: it is writable, not exported, and no
 *     device is missing
 * @param physicalVolumes in the order of LVM's metadata, by which LVM breaks ties
 */
public record ExtentLayout(
        long extentSizeBytes,
        AllocationPolicy allocation,
        boolean changeable,
        List<PvExtents> physicalVolumes) {
    public ExtentLayout {
        physicalVolumes = List.copyOf(physicalVolumes);
        if (extentSizeBytes < 1) {
            throw new IllegalArgumentException("extent size: " + extentSizeBytes);
        }
    }

    /** Takes the layout from a report. */
    public static ExtentLayout of(VolumeGroupReport report) {
        var byUuid =
                report.physicalVolumes().stream()
                        .collect(Collectors.toMap(PhysicalVolume::uuid, Function.identity()));
        var runs = new LinkedHashMap<String, List<ExtentRun>>();
        for (var segment : report.physicalSegments()) {
            var free = runs.computeIfAbsent(segment.pvUuid(), _ -> new ArrayList<>());
            if (segment.isFree() && segment.extents() > 0) { // 0 if the device has no room for one
                free.add(new ExtentRun(segment.startExtent(), segment.extents()));
            }
        }
        return new ExtentLayout(
                report.group().extentSizeBytes(),
                report.group().allocation(),
                changeable(report.group()),
                runs.keySet().stream()
                        .filter(byUuid::containsKey)
                        .map(id -> extents(byUuid.get(id), runs.get(id)))
                        .toList());
    }

    private static boolean changeable(VolumeGroup group) {
        return group.writable() && !group.exported() && group.missingPhysicalVolumes() == 0;
    }

    private static PvExtents extents(PhysicalVolume pv, List<ExtentRun> free) {
        return new PvExtents(
                pv.uuid(), pv.device(), pv.allocatable() && !pv.missing(), pv.tags(), free);
    }

    /** Returns the layout as lvcreate sees it when it is given these devices. */
    public ExtentLayout onDevices(Set<String> devices) {
        return on(pv -> devices.contains(pv.device()));
    }

    /** Returns the layout as lvcreate sees it when it is given {@code @tag} for the devices. */
    public ExtentLayout onTagged(String tag) {
        return on(pv -> pv.tags().contains(tag));
    }

    /** Returns the same extents under another policy, as {@code lvcreate --alloc} asks for. */
    public ExtentLayout withAllocation(AllocationPolicy policy) {
        return policy == AllocationPolicy.INHERIT
                ? this
                : new ExtentLayout(extentSizeBytes, policy, changeable, physicalVolumes);
    }

    /** LVM ignores those of the given devices that it cannot allocate on. */
    private ExtentLayout on(Predicate<PvExtents> chosen) {
        return new ExtentLayout(
                extentSizeBytes,
                allocation,
                changeable,
                usable().stream().filter(chosen).filter(pv -> !pv.free().isEmpty()).toList());
    }

    /** Returns the physical volumes on which LVM would allocate. */
    List<PvExtents> usable() {
        return physicalVolumes.stream().filter(PvExtents::allocatable).toList();
    }
}
