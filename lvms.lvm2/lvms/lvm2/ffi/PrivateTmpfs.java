package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A filesystem in memory that is mounted nowhere: only this process and those that it forks reach
 * it, by a path below {@code /proc/self/fd} in whatever mount namespace they are, and it ends with
 * them. Source: fsopen(2), fsconfig(2), fsmount(2), mount_setattr(2), of which the youngest came
 * with Linux 5.12; the numbers are the same on x86-64 and aarch64. Needs CAP_SYS_ADMIN. One thread
 * uses it.
 */
public final class PrivateTmpfs implements AutoCloseable {
    static final long FSOPEN = 430;
    static final long FSCONFIG = 431;
    static final long FSMOUNT = 432;
    static final long MOUNT_SETATTR = 442;

    static final long CLOEXEC = 1;
    static final long SET_STRING = 1;
    static final long CMD_CREATE = 6;
    static final long RDONLY = 1;
    static final long NOSUID_NODEV_NOEXEC = 2 | 4 | 8;
    static final long AT_EMPTY_PATH = 0x1000;

    /** {@code struct mount_attr}: attr_set, attr_clr, propagation, userns_fd. */
    static final long MOUNT_ATTR_BYTES = 32;

    private static final MethodHandle SYSCALL =
            C.handle(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG),
                    Linker.Option.firstVariadicArg(1),
                    Errno.CAPTURE);

    private final Fd mount;

    private PrivateTmpfs(Fd mount) {
        this.mount = mount;
    }

    /** Makes an empty one of at most 16 MiB, writable, for root alone. */
    public static PrivateTmpfs open() throws ErrnoException {
        try (var arena = Arena.ofConfined();
                var context = Fd.of(call("fsopen", FSOPEN, text(arena, "tmpfs"), CLOEXEC))) {
            configure(arena, context, SET_STRING, "size", "16m");
            configure(arena, context, SET_STRING, "mode", "0700");
            configure(arena, context, CMD_CREATE, "", "");
            return new PrivateTmpfs(
                    Fd.of(
                            call(
                                    "fsmount",
                                    FSMOUNT,
                                    context.number(),
                                    CLOEXEC,
                                    NOSUID_NODEV_NOEXEC)));
        }
    }

    /** Where it is, for this process. */
    public Path path() {
        return Path.of("/proc/self/fd", Integer.toString(mount.number()));
    }

    /** Lets files be made and changed, or not any more. No file in it may be open for writing. */
    public void writable(boolean writable) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var attributes = arena.allocate(MOUNT_ATTR_BYTES, 8);
            attributes.setAtIndex(JAVA_LONG, writable ? 1 : 0, RDONLY);
            call(
                    "mount_setattr",
                    MOUNT_SETATTR,
                    mount.number(),
                    text(arena, ""),
                    AT_EMPTY_PATH,
                    attributes.address(),
                    MOUNT_ATTR_BYTES);
        }
    }

    private static void configure(Arena arena, Fd context, long command, String key, String value)
            throws ErrnoException {
        call(
                "fsconfig",
                FSCONFIG,
                context.number(),
                command,
                key.isEmpty() ? 0 : text(arena, key),
                value.isEmpty() ? 0 : text(arena, value));
    }

    private static long text(Arena arena, String text) {
        return arena.allocateFrom(text).address();
    }

    private static int call(String name, long number, long... given) throws ErrnoException {
        var words = Arrays.copyOf(given, 5);
        try (var arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.STATE);
            long result;
            try {
                result =
                        (long)
                                SYSCALL.invokeExact(
                                        state, number, words[0], words[1], words[2], words[3],
                                        words[4]);
            } catch (Throwable t) {
                throw C.mismatch(name, t);
            }
            if (result < 0) {
                throw Errno.exception(name, state);
            }
            return Math.toIntExact(result);
        }
    }

    @Override
    public void close() {
        mount.close();
    }
}
