package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * One of this process's standard descriptors, redirected into memory (memfd_create(2), dup2(2)), so
 * that what C code prints can be read whole, however long the lines. One thread uses it.
 */
public final class Capture {
    static final int MFD_CLOEXEC = 1;
    private static final int PIECE_BYTES = 64 << 10;
    static final int SEEK_SET = 0;
    static final int SEEK_CUR = 1;

    private static final MethodHandle MEMFD_CREATE =
            C.handle(
                    "memfd_create",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Errno.CAPTURE);
    private static final MethodHandle DUP2 =
            C.handle("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle FTRUNCATE =
            C.handle(
                    "ftruncate",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
                    Errno.CAPTURE);
    private static final MethodHandle LSEEK =
            C.handle(
                    "lseek",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT),
                    Errno.CAPTURE);
    private static final MethodHandle PREAD =
            C.handle(
                    "pread",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG),
                    Errno.CAPTURE);
    private static final MethodHandle FFLUSH =
            C.handle("fflush", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private final int descriptor;

    private Capture(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Redirects a descriptor into memory, for the rest of this process's life. */
    public static Capture of(int descriptor) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var name = arena.allocateFrom("lvm-output-" + descriptor);
            int memory = (int) MEMFD_CREATE.invokeExact(state, name, MFD_CLOEXEC);
            if (memory < 0) {
                throw Errno.exception("memfd_create", state);
            }
            duplicate(state, memory, descriptor);
            return new Capture(descriptor);
        } catch (ErrnoException e) {
            throw e;
        } catch (Throwable t) {
            throw C.mismatch("memfd_create", t);
        }
    }

    /** Makes a descriptor a copy of an open file, such as {@code /dev/null}. */
    public static void redirect(Fd to, int descriptor) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            duplicate(arena.allocate(Errno.STATE), to.number(), descriptor);
        }
    }

    /**
     * Flushes what the C library still buffers, since it takes the memory for a file and not for a
     * terminal.
     */
    public static void flush() {
        try {
            int ignored =
                    (int) FFLUSH.invokeExact(MemorySegment.NULL); // it fails only if memory is full
        } catch (Throwable t) {
            throw C.mismatch("fflush", t);
        }
    }

    /** Returns how many bytes were printed since the last {@link #clear}. */
    public long size() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            return seek(arena.allocate(Errno.STATE), 0, SEEK_CUR);
        }
    }

    /** Writes what was printed since the last {@link #clear}, piece by piece. */
    public void writeTo(OutputStream out) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var buffer = arena.allocate(PIECE_BYTES);
            long size = seek(state, 0, SEEK_CUR);
            for (long done = 0; done < size; ) {
                long n = read(state, buffer, Math.min(PIECE_BYTES, size - done), done);
                out.write(buffer.asSlice(0, n).toArray(JAVA_BYTE));
                done += n;
            }
        }
    }

    private long read(MemorySegment state, MemorySegment buffer, long bytes, long offset)
            throws ErrnoException {
        long n;
        try {
            n = (long) PREAD.invokeExact(state, descriptor, buffer, bytes, offset);
        } catch (Throwable t) {
            throw C.mismatch("pread", t);
        }
        if (n <= 0) {
            throw Errno.exception("pread", state);
        }
        return n;
    }

    /** Forgets what was printed. */
    public void clear() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            seek(state, 0, SEEK_SET);
            int result;
            try {
                result = (int) FTRUNCATE.invokeExact(state, descriptor, 0L);
            } catch (Throwable t) {
                throw C.mismatch("ftruncate", t);
            }
            if (result != 0) {
                throw Errno.exception("ftruncate", state);
            }
        }
    }

    private long seek(MemorySegment state, long offset, int whence) throws ErrnoException {
        long position;
        try {
            position = (long) LSEEK.invokeExact(state, descriptor, offset, whence);
        } catch (Throwable t) {
            throw C.mismatch("lseek", t);
        }
        if (position < 0) {
            throw Errno.exception("lseek", state);
        }
        return position;
    }

    private static void duplicate(MemorySegment state, int from, int to) throws ErrnoException {
        int result;
        try {
            result = (int) DUP2.invokeExact(state, from, to);
        } catch (Throwable t) {
            throw C.mismatch("dup2", t);
        }
        if (result < 0) {
            throw Errno.exception("dup2", state);
        }
    }
}
