package lvms.node.csi;

import lvms.lvm2.LvHealth;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.DeviceMapper.Target;
import lvms.lvm2.device.ThinPoolUsage;

import java.util.Optional;
import java.util.Set;

/**
 * What is wrong with a volume, in LVM's words, from the status of its device-mapper devices.
 *
 * <p>Sources: the kernel's {@code device-mapper/thin-provisioning.rst}, {@code dm-raid.rst}, {@code
 * snapshot.rst}, {@code writecache.rst}, sections "Status".
 */
final class VolumeHealth {
    private static final Set<LvHealth> IN_METADATA =
            Set.of(LvHealth.RAID_RESHAPE_REMOVED, LvHealth.RAID_WRITE_MOSTLY);

    private VolumeHealth() {}

    /** Looks at the volume's own device; empty if it is healthy. */
    static Optional<String> ofDevice(Optional<DeviceMapper.State> device) {
        if (device.isEmpty()) {
            return Optional.of("the volume is not active");
        }
        var state = device.get();
        if (state.suspended()) {
            return text(LvHealth.SUSPENDED);
        }
        if (state.inactiveTable()) {
            return text(LvHealth.INACTIVE_TABLE);
        }
        if (state.targets().isEmpty()) {
            return text(LvHealth.NO_TABLE);
        }
        return state.targets().stream()
                .map(VolumeHealth::ofTarget)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * Looks at what neither the device nor its disks show, but LVM's metadata: whether images were
     * taken away from a RAID, or are only written to.
     *
     * @param reported what LVM's last report said
     */
    static Optional<String> ofReport(Optional<LvHealth> reported) {
        return reported.filter(IN_METADATA::contains).map(LvHealth::text);
    }

    /**
     * Returns what it means that a disk below the device is lost. A RAID goes on without it, and
     * has told already if it cannot.
     */
    static Optional<String> ofLoss(Optional<DeviceMapper.State> device, boolean lost) {
        boolean redundant =
                device.stream()
                        .flatMap(state -> state.targets().stream())
                        .anyMatch(target -> target.type().equals("raid"));
        return lost && !redundant ? text(LvHealth.PARTIAL) : Optional.empty();
    }

    /** Looks at the volume's thin pool; an inactive pool says nothing. */
    static Optional<String> ofPool(Optional<ThinPoolUsage> pool) {
        if (pool.isEmpty() || pool.get().healthy()) {
            return Optional.empty();
        }
        return switch (pool.get().mode()) {
            case "ro" -> text(LvHealth.POOL_METADATA_READ_ONLY);
            case "out_of_data_space" -> text(LvHealth.POOL_OUT_OF_DATA);
            case "rw" -> text(LvHealth.CHECK_NEEDED);
            default -> text(LvHealth.POOL_FAILED);
        };
    }

    /** Whether a thin device has no block at all, so it is blank for certain. */
    static boolean neverWritten(DeviceMapper.State state) {
        return state.targets().size() == 1
                && state.targets().getFirst().type().equals("thin")
                && state.targets().getFirst().status().strip().startsWith("0 ");
    }

    private static Optional<String> ofTarget(Target target) {
        return switch (target.type()) {
            case "error" -> text(LvHealth.PARTIAL);
            case "thin" -> isDead(target) ? text(LvHealth.THIN_FAILED) : Optional.empty();
            case "snapshot", "snapshot-merge" -> ofSnapshot(target.status());
            case "writecache" ->
                    target.status().startsWith("0 ")
                            ? Optional.empty()
                            : text(LvHealth.WRITECACHE_ERROR);
            case "raid" -> ofRaid(target.status());
            default -> Optional.empty();
        };
    }

    private static Optional<String> ofSnapshot(String status) {
        if (status.startsWith("Merge failed")) {
            return text(LvHealth.MERGE_FAILED);
        }
        return status.startsWith("Invalid") || status.startsWith("Overflow")
                ? text(LvHealth.INVALID_SNAPSHOT)
                : Optional.empty();
    }

    private static boolean isDead(Target target) {
        return target.status().startsWith("Fail") || target.status().startsWith("Error");
    }

    /** {@code raid1 2 AA 1024/1024 idle 0 0 -}: one letter for each device, D is a dead one. */
    private static Optional<String> ofRaid(String status) {
        var words = status.strip().split("\\s+");
        if (words.length > 2 && words[2].indexOf('D') >= 0) {
            return text(LvHealth.RAID_REFRESH_NEEDED);
        }
        if (words.length > 4 && words[4].equals("reshape")) {
            return text(LvHealth.RAID_RESHAPING);
        }
        boolean mismatches = words.length > 5 && !words[5].equals("0") && !words[5].equals("-");
        return mismatches ? text(LvHealth.RAID_MISMATCHES) : Optional.empty();
    }

    private static Optional<String> text(LvHealth health) {
        return Optional.of(health.text());
    }
}
