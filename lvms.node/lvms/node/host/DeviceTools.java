package lvms.node.host;

import lvms.lvm2.device.MachineTools;

import java.util.List;
import java.util.Optional;

/**
 * The programs that the node agent runs. Its image must have them, but somebody may have built one
 * without. Each call looks again.
 *
 * @param tools where the programs are looked for
 * @param hostLvm whether the host's LVM is used, which is run through nsenter
 */
public record DeviceTools(MachineTools tools, boolean hostLvm) {
    private static final List<String> FILESYSTEMS =
            List.of(
                    "mkfs.ext4",
                    "mkfs.xfs",
                    "mkfs.btrfs",
                    "e2fsck",
                    "resize2fs",
                    "xfs_growfs",
                    "btrfs");

    private static final String CURE =
            ": use the image of ./build.sh oci, or add their Debian packages to this one";

    /** Returns what keeps the agent from working at all, in one line; empty if nothing does. */
    public Optional<String> obstacle() {
        var missing = tools.missingWithLibraries(List.of(hostLvm ? "nsenter" : "lvm", "wipefs"));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "this image lacks the device tools " + String.join(", ", missing) + CURE);
    }

    /** Returns what keeps the agent from making, checking or growing some filesystems. */
    public Optional<String> filesystemObstacle() {
        var missing = tools.missing(FILESYSTEMS);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "this image lacks the filesystem tools "
                                + String.join(", ", missing)
                                + CURE);
    }
}
