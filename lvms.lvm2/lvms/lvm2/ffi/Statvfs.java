package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * {@code int statvfs(const char *path, struct statvfs *buf)}; statvfs(3). Any thread may call it.
 *
 * @param sizeBytes size of the filesystem, in bytes
 * @param freeBytes free bytes, including those for root
 * @param availableBytes what a process without privileges may still write, in bytes
 * @param inodes number of inodes
 * @param freeInodes free inodes
 */
public record Statvfs(
        long sizeBytes, long freeBytes, long availableBytes, long inodes, long freeInodes) {
    static final StructLayout BUF =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("f_bsize"),
                    JAVA_LONG.withName("f_frsize"),
                    JAVA_LONG.withName("f_blocks"),
                    JAVA_LONG.withName("f_bfree"),
                    JAVA_LONG.withName("f_bavail"),
                    JAVA_LONG.withName("f_files"),
                    JAVA_LONG.withName("f_ffree"),
                    MemoryLayout.paddingLayout(56));
    private static final MethodHandle STATVFS =
            C.handle("statvfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), Errno.CAPTURE);

    /** Reads the usage of the filesystem that holds {@code path}. */
    public static Statvfs of(Path path) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var buf = arena.allocate(BUF);
            int result;
            try {
                result = (int) STATVFS.invokeExact(state, arena.allocateFrom(path.toString()), buf);
            } catch (Throwable t) {
                throw C.mismatch("statvfs", t);
            }
            if (result != 0) {
                throw Errno.exception("statvfs " + path, state);
            }
            return read(buf);
        }
    }

    private static Statvfs read(MemorySegment buf) {
        long unit = field(buf, "f_frsize"); // f_blocks counts fragments, not f_bsize
        return new Statvfs(
                unit * field(buf, "f_blocks"),
                unit * field(buf, "f_bfree"),
                unit * field(buf, "f_bavail"),
                field(buf, "f_files"),
                field(buf, "f_ffree"));
    }

    private static long field(MemorySegment buf, String name) {
        return buf.get(JAVA_LONG, BUF.byteOffset(groupElement(name)));
    }
}
