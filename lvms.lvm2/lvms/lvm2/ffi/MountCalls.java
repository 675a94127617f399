package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code int mount(const char *source, const char *target, const char *type, unsigned long flags,
 * const void *data)} and {@code int umount2(const char *target, int flags)}. Any thread may call.
 */
public final class MountCalls {
    private static final MethodHandle MOUNT =
            C.handle(
                    "mount",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS),
                    Errno.CAPTURE);
    private static final MethodHandle UMOUNT2 =
            C.handle("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Errno.CAPTURE);

    private MountCalls() {}

    /** Calls mount(2); empty texts are passed as NULL. */
    public static void mount(String source, String target, String type, long flags, String data)
            throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result;
            try {
                result =
                        (int)
                                MOUNT.invokeExact(
                                        state,
                                        orNull(arena, source),
                                        orNull(arena, target),
                                        orNull(arena, type),
                                        flags,
                                        orNull(arena, data));
            } catch (Throwable t) {
                throw C.mismatch("mount", t);
            }
            if (result != 0) {
                throw Errno.exception("mount " + source + " at " + target, state);
            }
        }
    }

    /** Calls umount2(2). */
    public static void unmount(String target, int flags) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int result;
            try {
                result = (int) UMOUNT2.invokeExact(state, arena.allocateFrom(target), flags);
            } catch (Throwable t) {
                throw C.mismatch("umount2", t);
            }
            if (result != 0) {
                throw Errno.exception("umount2 " + target, state);
            }
        }
    }

    private static MemorySegment orNull(Arena arena, String text) {
        return text.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(text);
    }
}
