package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A file descriptor of open(2), with flock(2), fsync(2) and close(2). It has one owner at a time;
 * closing it twice is harmless.
 */
public final class Fd implements AutoCloseable {
    /** Read only. */
    public static final int RDONLY = 0;

    /** Read and write. */
    public static final int RDWR = 2;

    /** Create if absent. */
    public static final int CREAT = 0x40;

    /** On a block device without CREAT: only if nobody holds it exclusively, mounts included. */
    public static final int EXCL = 0x80;

    /** Do not wait. */
    public static final int NONBLOCK = 0x800;

    /** Not inherited by child processes. */
    public static final int CLOEXEC = 0x80000;

    /** flock(2): shared. */
    public static final int LOCK_SH = 1;

    /** flock(2): exclusive. */
    public static final int LOCK_EX = 2;

    /** flock(2): do not wait. */
    public static final int LOCK_NB = 4;

    private static final MethodHandle OPEN =
            C.handle(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2),
                    Errno.CAPTURE);
    private static final MethodHandle CLOSE =
            C.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FSYNC =
            C.handle("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle FLOCK =
            C.handle("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), Errno.CAPTURE);

    static final long BLKRRPART = Ioctl.io(0x12, 95);
    static final long BLKDISCARD = Ioctl.io(0x12, 119);
    static final long BLKZEROOUT = Ioctl.io(0x12, 127);

    /** With a {@code struct fstrim_range} of linux/fs.h: start, len, minlen. */
    static final long FITRIM = Ioctl.iowr('X', 121, 3 * Long.BYTES);

    private static final MethodHandle IOCTL =
            C.handle(
                    "ioctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2),
                    Errno.CAPTURE);

    private int number;

    private Fd(int number) {
        this.number = number;
    }

    /** Takes over a descriptor that another call has opened. */
    static Fd of(int number) {
        return new Fd(number);
    }

    /** Opens a file; new files get mode 0600. */
    public static Fd open(Path path, int flags) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int fd;
            try {
                fd =
                        (int)
                                OPEN.invokeExact(
                                        state, arena.allocateFrom(path.toString()), flags, 0600);
            } catch (Throwable t) {
                throw C.mismatch("open", t);
            }
            if (fd < 0) {
                throw Errno.exception("open " + path, state);
            }
            return new Fd(fd);
        }
    }

    /** Calls flock(2). */
    public void lock(int operation) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result;
            try {
                result = (int) FLOCK.invokeExact(state, number(), operation);
            } catch (Throwable t) {
                throw C.mismatch("flock", t);
            }
            if (result != 0) {
                throw Errno.exception("flock", state);
            }
        }
    }

    /**
     * Makes the kernel re-read a disk's partition table (ioctl(2), {@code BLKRRPART}) and forget
     * partitions that are gone. Ignores devices that cannot have partitions.
     */
    public void rereadPartitions() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result = ioctl(state, BLKRRPART, MemorySegment.NULL);
            int errno = result == 0 ? 0 : Errno.in(state);
            if (errno != 0 && errno != ErrnoException.EINVAL && errno != ErrnoException.ENOTTY) {
                throw Errno.exception("BLKRRPART", state);
            }
        }
    }

    /**
     * Makes a range of a block device read as zeros (ioctl(2), {@code BLKZEROOUT}), by the device
     * itself where it can, otherwise by writing. Returns when it is done; no signal ends it.
     *
     * @param offset where the range begins, in bytes, a multiple of the sector size
     * @param bytes its length, a multiple of the sector size
     */
    public void zeroOut(long offset, long bytes) throws ErrnoException {
        range("BLKZEROOUT", BLKZEROOUT, offset, bytes);
    }

    /**
     * Tells a block device that a range is not needed (ioctl(2), {@code BLKDISCARD}). What it reads
     * as afterwards is the device's choice.
     *
     * @param offset where the range begins, in bytes, a multiple of the sector size
     * @param bytes its length, a multiple of the sector size
     * @throws ErrnoException EOPNOTSUPP if the device cannot
     */
    public void discard(long offset, long bytes) throws ErrnoException {
        range("BLKDISCARD", BLKDISCARD, offset, bytes);
    }

    /**
     * Calls fsync(2): what was written is on the medium when it returns, on a block device past the
     * cache of each disk below, too.
     */
    public void sync() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result;
            try {
                result = (int) FSYNC.invokeExact(state, number());
            } catch (Throwable t) {
                throw C.mismatch("fsync", t);
            }
            if (result != 0) {
                throw Errno.exception("fsync", state);
            }
        }
    }

    /**
     * Has the mounted filesystem that the file is in discard what it does not use (ioctl(2), {@code
     * FITRIM}). Returns when it is done; only a signal that kills ends it.
     *
     * @param offset where to begin, in bytes of the filesystem's own addresses
     * @param bytes how much to look at; {@code -1} for all that follows
     * @return how many bytes the filesystem says it discarded
     * @throws ErrnoException EOPNOTSUPP if filesystem or device cannot, EINVAL if the filesystem
     *     ends before the offset
     */
    public long trim(long offset, long bytes) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var range = arena.allocateFrom(JAVA_LONG, offset, bytes, 0); // start, len, minlen
            if (ioctl(state, FITRIM, range) != 0) {
                throw Errno.exception("FITRIM of " + bytes + " bytes at " + offset, state);
            }
            return range.getAtIndex(JAVA_LONG, 1);
        }
    }

    private void range(String name, long request, long offset, long bytes) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var range = arena.allocateFrom(JAVA_LONG, offset, bytes);
            if (ioctl(state, request, range) != 0) {
                throw Errno.exception(name + " of " + bytes + " bytes at " + offset, state);
            }
        }
    }

    /** Calls ioctl(2); {@code state} has the error if the result is negative. */
    int ioctl(MemorySegment state, long request, MemorySegment argument) {
        try {
            return (int) IOCTL.invokeExact(state, number(), request, argument);
        } catch (Throwable t) {
            throw C.mismatch("ioctl", t);
        }
    }

    /** Returns the descriptor's number. */
    public int number() {
        if (number < 0) {
            throw new IllegalStateException("closed");
        }
        return number;
    }

    @Override
    public void close() {
        if (number < 0) {
            return;
        }
        int closing = number;
        number = -1;
        try {
            int ignored = (int) CLOSE.invokeExact(closing); // Linux closes it even when this fails
        } catch (Throwable t) {
            throw C.mismatch("close", t);
        }
    }
}
