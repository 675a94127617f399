package lvms.lvm2.filesystem;

import lvms.lvm2.ffi.Fd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a filesystem does while it is mounted. Calls block as long as its device does, so callers
 * bring a platform thread.
 *
 * @param mount where it is mounted, from a {@link MountTable} of this process's namespace
 */
public record MountedFilesystem(Mount mount) {
    /** As the length: to the end. */
    public static final long ALL = -1;

    private static final String MOUNT_ID = "mnt_id:";

    /**
     * Has it discard the blocks in a range that it does not use. Meanwhile it cannot be unmounted.
     *
     * @param offset where to begin, in bytes
     * @param bytes how much to look at, or {@link #ALL}; btrfs heeds neither where no chunk is
     * @return how many bytes it discarded; ext4 leaves out what it has discarded since it was
     *     mounted
     * @throws IOException also if this mount is no longer at its mount point: whatever is there now
     *     is left alone; EOPNOTSUPP, ENOTTY, EROFS if it cannot; EINVAL if it ends before the
     *     offset
     */
    public long trim(long offset, long bytes) throws IOException {
        try (var fd = Fd.open(mount.mountPoint(), Fd.RDONLY | Fd.NONBLOCK | Fd.CLOEXEC)) {
            requireOpened(fd);
            return fd.trim(offset, bytes);
        }
    }

    /** The number of a mount is given away again only after the last file in it was closed. */
    private void requireOpened(Fd fd) throws IOException {
        boolean same =
                mountId(fd) == mount.id()
                        && MountTable.read().mounts().stream()
                                .anyMatch(
                                        now ->
                                                now.id() == mount.id()
                                                        && now.device().equals(mount.device()));
        if (!same) {
            throw new IOException(mount.source() + " is not mounted at " + mount.mountPoint());
        }
    }

    private static int mountId(Fd fd) throws IOException {
        var info = Path.of("/proc/self/fdinfo", Integer.toString(fd.number()));
        return Files.readAllLines(info).stream()
                .filter(line -> line.startsWith(MOUNT_ID))
                .map(line -> Integer.parseInt(line.substring(MOUNT_ID.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException(info + " has no mnt_id"));
    }
}
