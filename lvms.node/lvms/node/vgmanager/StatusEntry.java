package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.VolumeGroupStatus.ExcludedDevice;
import lvms.api.listing.GroupDevice;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.vgmanager.plan.RaidReport;
import lvms.node.vgmanager.plan.Situation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes the entry of the node status from what a pass found. */
final class StatusEntry {
    private StatusEntry() {}

    /** Nothing of the group was looked at yet. */
    static VolumeGroupStatus begun(LvmVolumeGroup group) {
        return new VolumeGroupStatus(
                group.names(),
                Optional.of(VolumeGroupState.PROGRESSING),
                "",
                List.of(),
                List.of(),
                VolumeGroupGoal.of(group).discovery(),
                Optional.empty());
    }

    static VolumeGroupStatus progressing(Situation s) {
        return entry(s, VolumeGroupState.PROGRESSING, "");
    }

    static VolumeGroupStatus ready(Situation s) {
        return entry(s, VolumeGroupState.READY, "");
    }

    /** The class names no device, and nothing of it is on the node. */
    static VolumeGroupStatus empty(Situation s) {
        return entry(s, VolumeGroupState.READY, "the class names no device of this node");
    }

    /** A group that exists and has a device is degraded, not failed: its volumes may still work. */
    static VolumeGroupStatus failed(Situation s, String reason) {
        boolean there = s.ours().isPresent() && !s.members().isEmpty();
        return entry(s, there ? VolumeGroupState.DEGRADED : VolumeGroupState.FAILED, reason);
    }

    /**
     * Returns the entry of a group for which nothing can be done. One that has devices is degraded,
     * not failed: its volumes may still work.
     *
     * @param before its entry until now
     */
    static VolumeGroupStatus obstructed(
            LvmVolumeGroup group, Optional<VolumeGroupStatus> before, String obstacle) {
        var devices = before.map(VolumeGroupStatus::devices).orElse(List.of());
        return new VolumeGroupStatus(
                        group.names(),
                        Optional.of(
                                devices.isEmpty()
                                        ? VolumeGroupState.FAILED
                                        : VolumeGroupState.DEGRADED),
                        obstacle,
                        devices,
                        before.map(VolumeGroupStatus::excluded).orElse(List.of()),
                        VolumeGroupGoal.of(group).discovery(),
                        before.flatMap(VolumeGroupStatus::raid))
                .withPhysicalVolumes(
                        before.map(VolumeGroupStatus::physicalVolumes).orElse(List.of()));
    }

    static Optional<RaidReport> raid(Situation s) {
        return s.goal()
                .raid()
                .flatMap(raid -> s.ours().flatMap(ours -> RaidReport.of(ours, raid.type())));
    }

    private static VolumeGroupStatus entry(Situation s, VolumeGroupState state, String reason) {
        var raid = raid(s);
        boolean hurt = raid.filter(r -> r.health() != RaidHealth.HEALTHY).isPresent();
        return new VolumeGroupStatus(
                        s.goal().names(),
                        Optional.of(hurt ? VolumeGroupState.DEGRADED : state),
                        hurt && reason.isEmpty() ? unhealthy(raid.get()) : reason,
                        s.ours().isPresent() ? devices(s) : List.of(),
                        excluded(s),
                        s.goal().discovery(),
                        raid.map(RaidReport::status))
                .withPhysicalVolumes(physicalVolumes(s));
    }

    private static String unhealthy(RaidReport raid) {
        return "RAID is not healthy: " + raid.problem();
    }

    private static List<String> devices(Situation s) {
        return s.members().stream().map(pv -> pv.pv().device()).sorted().toList();
    }

    /** Only whoever lists devices is told what becomes of each. */
    private static List<GroupDevice> physicalVolumes(Situation s) {
        if (s.ours().isEmpty() || s.goal().listing().deviceClassName().isEmpty()) {
            return List.of();
        }
        return s.members().stream()
                .map(
                        pv ->
                                new GroupDevice(
                                        pv.pv().device(),
                                        pv.pv().uuid(),
                                        !pv.pv().missing() && s.isSurplus(pv)))
                .sorted(Comparator.comparing(GroupDevice::name).thenComparing(GroupDevice::uuid))
                .toList();
    }

    private static List<ExcludedDevice> excluded(Situation s) {
        return s.verdicts().stream()
                .filter(DeviceVerdict::excluded)
                .map(v -> new ExcludedDevice(v.device().name(), v.reasons(), otherNames(s, v)))
                .sorted(Comparator.comparing(ExcludedDevice::name))
                .toList();
    }

    private static List<String> otherNames(Situation s, DeviceVerdict verdict) {
        return s.selection()
                .pathsTo(verdict.device().kernelName())
                .filter(path -> !path.equals(verdict.device().name()))
                .distinct()
                .sorted()
                .toList();
    }
}
