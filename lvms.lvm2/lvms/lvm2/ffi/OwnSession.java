package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A session in which nothing interrupts this process but SIGKILL: setsid(2), signal(2). The
 * programs that it starts inherit both, and the session's process group names them all: kill(2).
 */
public final class OwnSession {
    static final int SIGHUP = 1;
    static final int SIGINT = 2;
    static final int SIGQUIT = 3;
    static final int SIGKILL = 9;
    static final int SIGTERM = 15;
    private static final MemorySegment SIG_IGN = MemorySegment.ofAddress(1);
    static final int F_SETFD = 2;
    static final int FD_CLOEXEC = 1;
    private static final int FIRST_FILE = 3;

    private static final MethodHandle SETSID =
            C.handle("setsid", FunctionDescriptor.of(JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle SIGNAL =
            C.handle("signal", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
    private static final MethodHandle KILL =
            C.handle("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle FCNTL =
            C.handle(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));

    private OwnSession() {}

    /** Begins it, for the rest of this process's life. */
    public static void begin() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            if ((int) SETSID.invokeExact(state) < 0) {
                throw Errno.exception("setsid", state);
            }
            for (int signal : List.of(SIGHUP, SIGINT, SIGQUIT, SIGTERM)) {
                var before = (MemorySegment) SIGNAL.invokeExact(signal, SIG_IGN);
            }
        } catch (ErrnoException e) {
            throw e;
        } catch (Throwable t) {
            throw C.mismatch("setsid", t);
        }
    }

    /** Keeps open files but the three standard ones from programs that are started from now on. */
    public static void keepFilesFromHelpers() throws IOException {
        try (var files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (var file : files) {
                int number = Integer.parseInt(file.getFileName().toString());
                if (number >= FIRST_FILE) {
                    int ignored = (int) FCNTL.invokeExact(number, F_SETFD, FD_CLOEXEC);
                }
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw C.mismatch("fcntl", t);
        }
    }

    /** Kills the processes of the session that this process began, if there are any left. */
    public static void kill(long leader) {
        try {
            int ignored = (int) KILL.invokeExact(Math.toIntExact(-leader), SIGKILL);
        } catch (Throwable t) {
            throw C.mismatch("kill", t);
        }
    }
}
