package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Loop devices, by ioctl(2) as {@code linux/loop.h} defines it; the numbers are the same on every
 * architecture. {@code LOOP_SET_FD} is used, and not {@code LOOP_CONFIGURE}, which needs kernel 5.8
 * and says nothing more for a whole file without partitions. Any thread may call.
 */
public final class LoopCalls {
    private static final Path CONTROL = Path.of("/dev/loop-control");
    static final long SET_FD = 0x4c00;
    static final long CLR_FD = 0x4c01;
    static final long GET_STATUS64 = 0x4c05;
    static final long CTL_ADD = 0x4c80;
    static final long CTL_GET_FREE = 0x4c82;

    /** {@code struct loop_info64}. */
    static final StructLayout INFO =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("lo_device"),
                    JAVA_LONG.withName("lo_inode"),
                    JAVA_LONG.withName("lo_rdevice"),
                    JAVA_LONG.withName("lo_offset"),
                    JAVA_LONG.withName("lo_sizelimit"),
                    JAVA_INT.withName("lo_number"),
                    JAVA_INT.withName("lo_encrypt_type"),
                    JAVA_INT.withName("lo_encrypt_key_size"),
                    JAVA_INT.withName("lo_flags"),
                    MemoryLayout.sequenceLayout(64, JAVA_BYTE).withName("lo_file_name"),
                    MemoryLayout.sequenceLayout(64, JAVA_BYTE).withName("lo_crypt_name"),
                    MemoryLayout.sequenceLayout(32, JAVA_BYTE).withName("lo_encrypt_key"),
                    MemoryLayout.sequenceLayout(2, JAVA_LONG).withName("lo_init"));

    private LoopCalls() {}

    /** Returns the number of a device that has no file; another process may take it first. */
    public static int free() throws ErrnoException {
        try (var control = Fd.open(CONTROL, Fd.RDWR | Fd.CLOEXEC)) {
            return call(control, CTL_GET_FREE, "LOOP_CTL_GET_FREE", MemorySegment.NULL);
        }
    }

    /** Makes the device of that number; succeeds if there is one. */
    public static void add(int number) throws ErrnoException {
        try (var control = Fd.open(CONTROL, Fd.RDWR | Fd.CLOEXEC)) {
            call(control, CTL_ADD, "LOOP_CTL_ADD " + number, MemorySegment.ofAddress(number));
        } catch (ErrnoException e) {
            if (e.errno() != ErrnoException.EEXIST) {
                throw e;
            }
        }
    }

    /**
     * Gives a device its file.
     *
     * @throws ErrnoException EBUSY if it has one
     */
    public static void set(Path device, Path file) throws ErrnoException {
        try (var loop = Fd.open(device, Fd.RDWR | Fd.CLOEXEC);
                var backing = Fd.open(file, Fd.RDWR | Fd.CLOEXEC)) {
            var number = MemorySegment.ofAddress(backing.number());
            call(loop, SET_FD, "LOOP_SET_FD " + device + ' ' + file, number);
        }
    }

    /**
     * Takes the file of a device off; the kernel does it when the last user closes it. Succeeds if
     * it has none.
     */
    public static void clear(Path device) throws ErrnoException {
        try (var loop = Fd.open(device, Fd.RDWR | Fd.CLOEXEC)) {
            call(loop, CLR_FD, "LOOP_CLR_FD " + device, MemorySegment.NULL);
        } catch (ErrnoException e) {
            if (!absent(e)) {
                throw e;
            }
        }
    }

    /**
     * What a device has of which file. Mount namespaces do not change it.
     *
     * @param device number of the filesystem's device, as in {@code st_dev}
     * @param inode number of the file
     * @param offset where the device begins in the file, in bytes
     * @param limit how much of the file it has at most, in bytes; 0 for all
     */
    public record Backing(long device, long inode, long offset, long limit) {
        /** Returns whether the device is the whole file. */
        public boolean whole() {
            return offset == 0 && limit == 0;
        }
    }

    /** Reads which file a device has; empty if it has none. */
    public static Optional<Backing> backing(Path device) throws ErrnoException {
        try (var arena = Arena.ofConfined();
                var loop = Fd.open(device, Fd.RDONLY | Fd.CLOEXEC)) {
            var info = arena.allocate(INFO);
            call(loop, GET_STATUS64, "LOOP_GET_STATUS64 " + device, info);
            return Optional.of(
                    new Backing(
                            number(info, "lo_device"),
                            number(info, "lo_inode"),
                            number(info, "lo_offset"),
                            number(info, "lo_sizelimit")));
        } catch (ErrnoException e) {
            if (absent(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean absent(ErrnoException e) {
        return e.errno() == ErrnoException.ENXIO || e.errno() == ErrnoException.ENOENT;
    }

    private static long number(MemorySegment info, String field) {
        return info.get(JAVA_LONG, INFO.byteOffset(groupElement(field)));
    }

    private static int call(Fd fd, long request, String tried, MemorySegment argument)
            throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result = fd.ioctl(state, request, argument);
            if (result < 0) {
                throw Errno.exception(tried, state);
            }
            return result;
        }
    }
}
