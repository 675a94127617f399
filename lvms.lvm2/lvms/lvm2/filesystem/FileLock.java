package lvms.lvm2.filesystem;

import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.nio.file.Path;
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
    public static Optional<FileLock> tryLock(Path file) throws ErrnoException {
        return tryLock(Fd.open(file, Fd.RDWR | Fd.CREAT | Fd.CLOEXEC));
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
