package lvms.node.csi;

import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads from the mount table where a volume is mounted, as filesystem or as device. */
record VolumeMounts(MountTable table) {
    private static final int FILE_TYPE = 0170000; // S_IFMT, stat(2)
    private static final int BLOCK_DEVICE = 0060000; // S_IFBLK

    static VolumeMounts read() throws IOException {
        return new VolumeMounts(MountTable.read());
    }

    /** The topmost mount at exactly this path. */
    Optional<Mount> at(TargetPath target) {
        return table.at(target.path());
    }

    /**
     * The mounts of the whole filesystem on a device. btrfs has a device number of its own in the
     * mount table, so it is recognised by its source.
     */
    List<Mount> ofFilesystem(DeviceNumber device) {
        return table.mounts().stream()
                .filter(mount -> mount.root().equals("/"))
                .filter(
                        mount ->
                                mount.device().equals(device)
                                        || mount.fsType().equals(Filesystem.BTRFS.type())
                                                && isNode(Path.of(mount.source()), device))
                .toList();
    }

    /** The bind mounts of the device's node: files that are this block device. */
    List<Mount> ofNode(DeviceNumber device) {
        return table.mounts().stream()
                .filter(
                        mount ->
                                mount.fsType().equals("devtmpfs") || mount.fsType().equals("tmpfs"))
                .filter(mount -> !mount.root().equals("/"))
                .filter(mount -> isNode(mount.mountPoint(), device))
                .toList();
    }

    /** Whether the path is, or leads to, the node of this block device. */
    static boolean isNode(Path path, DeviceNumber device) {
        return numberOf(path).filter(device::equals).isPresent();
    }

    /** The number of the block device at a path; empty if there is none. */
    static Optional<DeviceNumber> numberOf(Path path) {
        try {
            var attributes = Files.readAttributes(path, "unix:mode,rdev");
            boolean block = ((int) attributes.get("mode") & FILE_TYPE) == BLOCK_DEVICE;
            return block
                    ? Optional.of(DeviceNumber.ofDev((long) attributes.get("rdev")))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // also if there is no such path
        }
    }

    static boolean exists(TargetPath target) {
        return Files.exists(target.path(), LinkOption.NOFOLLOW_LINKS);
    }
}
