package lvms.node.vgmanager.plan;

import lvms.api.RaidHealth;
import lvms.api.RaidStatus;
import lvms.api.RaidStatus.RaidVolumeHealth;
import lvms.api.RaidType;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes.Type;
import lvms.lvm2.LvHealth;
import lvms.lvm2.VolumeGroupReport;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Health of the RAID volumes of a volume group.
 *
 * @param health the worst of its volumes and devices
 * @param members number of physical volumes
 * @param degradedMembers number of those that are missing
 * @param minimumSyncPercent how far the least synchronized volume is; empty without RAID volumes
 * @param volumes one entry per RAID volume, by name
 */
public record RaidReport(
        RaidHealth health,
        int members,
        int degradedMembers,
        OptionalInt minimumSyncPercent,
        List<Volume> volumes) {
    /**
     * One RAID volume.
     *
     * @param name its name
     * @param raidType RAID level of the class
     * @param syncPercent how far it is synchronized; 100 if LVM does not say
     * @param health LVM's word for it; empty if healthy
     * @param partial whether one of its devices is missing
     */
    record Volume(String name, RaidType raidType, int syncPercent, String health, boolean partial) {
        boolean degraded() {
            return partial || health.equals("partial");
        }

        boolean failed() {
            return !health.isEmpty() && !health.equals("partial");
        }
    }

    /** Judges a volume group; empty if it has neither RAID volumes nor devices. */
    public static Optional<RaidReport> of(VolumeGroupReport report, RaidType raidType) {
        var volumes =
                report.logicalVolumes().stream()
                        .filter(RaidReport::isRaid)
                        .map(lv -> volumeOf(lv, raidType))
                        .sorted((a, b) -> a.name().compareTo(b.name()))
                        .toList();
        var pvs = report.physicalVolumes();
        if (volumes.isEmpty() && pvs.isEmpty()) {
            return Optional.empty();
        }
        int missing = (int) pvs.stream().filter(pv -> pv.missing()).count();
        var minimum = volumes.stream().mapToInt(Volume::syncPercent).min();
        return Optional.of(
                new RaidReport(healthOf(volumes, missing), pvs.size(), missing, minimum, volumes));
    }

    static boolean isRaid(LogicalVolume lv) {
        var type = lv.attributes().type();
        var name = lv.name().lv();
        return (type == Type.RAID || type == Type.RAID_NOT_SYNCED)
                && !name.contains("_rimage_")
                && !name.contains("_rmeta_");
    }

    private static Volume volumeOf(LogicalVolume lv, RaidType raidType) {
        return new Volume(
                lv.name().lv(),
                raidType,
                (int) lv.syncPercent().orElse(100),
                lv.healthStatus(),
                lv.attributes().health().filter(LvHealth.PARTIAL::equals).isPresent());
    }

    private static RaidHealth healthOf(List<Volume> volumes, int missing) {
        if (!volumes.isEmpty() && volumes.stream().allMatch(Volume::failed)) {
            return RaidHealth.FAILED;
        }
        boolean hurt = volumes.stream().anyMatch(v -> v.failed() || v.degraded());
        return hurt || missing > 0 ? RaidHealth.DEGRADED : RaidHealth.HEALTHY;
    }

    /** Returns what is wrong with the volumes, for people to read; empty if they are healthy. */
    public String problem() {
        return volumes.stream()
                .filter(v -> v.failed() || v.degraded())
                .map(v -> v.name() + " (" + (v.health().isEmpty() ? "partial" : v.health()) + ")")
                .collect(Collectors.joining(", "));
    }

    /** Returns the report as the node status has it. */
    public RaidStatus status() {
        return new RaidStatus(
                health,
                members,
                degradedMembers,
                minimumSyncPercent,
                volumes.stream()
                        .map(
                                v ->
                                        new RaidVolumeHealth(
                                                v.name(),
                                                v.raidType(),
                                                v.syncPercent(),
                                                v.health()))
                        .toList());
    }

    public boolean syncing() {
        return minimumSyncPercent.orElse(100) < 100;
    }
}
