package lvms.lvm2.filesystem;

import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * An exclusive flock(2) on a file, as LVM uses it; released on close and when the process dies.
 * Unlike {@link java.nio.channels.FileLock} it also excludes other holders in this process.
 */
public final class FileLock implements AutoCloseable {
    private final Fd fd;

    private FileLock(Fd fd) {
        this.fd = fd;
    }

    /**
     * Takes the lock if nobody has it. A regular file is created if absent, with mode 0600.
     *
     * @return empty if somebody else has it
     */
    public static Optional<FileLock> tryLock(Path file) throws IOException {
        return tryLock(file, Fd.CREAT);
    }

    /**
     * Takes the lock of a file that is there, if nobody has it.
     *
     * @return empty if somebody else has it, or the file is gone
     */
    public static Optional<FileLock> tryExisting(Path file) throws IOException {
        try {
            return tryLock(file, 0);
        } catch (ErrnoException e) {
            if (e.errno() == ErrnoException.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * LVM removes the file of a lock that it gives back. Whoever opened the file before then holds
     * a lock that keeps out nobody, so it is taken again on the new file.
     */
    private static Optional<FileLock> tryLock(Path file, int create) throws IOException {
        while (true) {
            var fd = Fd.open(file, Fd.RDWR | create | Fd.CLOEXEC);
            var lock = tryLock(fd);
            if (lock.isEmpty() || isStill(file, fd)) {
                return lock;
            }
            lock.get().close();
        }
    }

    private static boolean isStill(Path file, Fd fd) throws IOException {
        var opened = Path.of("/proc/self/fd", Integer.toString(fd.number()));
        try {
            return inode(opened).equals(inode(file));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Map<String, Object> inode(Path file) throws IOException {
        return Files.readAttributes(file, "unix:dev,ino");
    }

    private static Optional<FileLock> tryLock(Fd fd) throws ErrnoException {
        try {
            fd.lock(Fd.LOCK_EX | Fd.LOCK_NB);
            return Optional.of(new FileLock(fd));
        } catch (ErrnoException e) {
            fd.close();
            if (e.errno() == ErrnoException.EAGAIN) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
