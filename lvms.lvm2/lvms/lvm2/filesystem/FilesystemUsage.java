package lvms.lvm2.filesystem;

import lvms.lvm2.ffi.Statvfs;
import lvms.lvm2.system.ErrnoException;

import java.nio.file.Path;

/**
 * How full a filesystem is.
 *
 * @param sizeBytes its size
 * @param freeBytes free bytes, including those reserved for root
 * @param availableBytes free bytes for others
 * @param inodes number of its inodes; 0 if it has no fixed number
 * @param freeInodes number of free inodes
 */
public record FilesystemUsage(
        long sizeBytes, long freeBytes, long availableBytes, long inodes, long freeInodes) {
    /** Reads the usage of the filesystem that holds a path; blocks as long as its device does. */
    public static FilesystemUsage of(Path path) throws ErrnoException {
        var s = Statvfs.of(path);
        return new FilesystemUsage(
                s.sizeBytes(), s.freeBytes(), s.availableBytes(), s.inodes(), s.freeInodes());
    }

    /** Returns what is used, as df(1) counts it. */
    public long usedBytes() {
        return sizeBytes - freeBytes;
    }
}
