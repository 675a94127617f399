package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Moves only the calling thread into the mount, IPC and UTS namespaces of another process: setns(2)
 * after unshare(2) of the file system attributes that threads share, since the kernel otherwise
 * refuses the mount namespace. There is no way back: let the thread end with the process, and start
 * no thread or process from it. Needs CAP_SYS_ADMIN.
 */
public final class Namespaces {
    static final int CLONE_FS = 0x200;
    static final int CLONE_NEWNS = 0x20000;
    static final int CLONE_NEWCGROUP = 0x2000000;
    static final int CLONE_NEWUTS = 0x4000000;
    static final int CLONE_NEWIPC = 0x8000000;

    private static final MethodHandle UNSHARE =
            C.handle("unshare", FunctionDescriptor.of(JAVA_INT, JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle SETNS =
            C.handle("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), Errno.CAPTURE);

    private Namespaces() {}

    /** Enters the namespaces of a process; all are opened before anything changes. */
    public static void enter(long pid) throws ErrnoException {
        var ns = Path.of("/proc", Long.toString(pid), "ns");
        try (var arena = Arena.ofConfined();
                var mnt = Fd.open(ns.resolve("mnt"), Fd.RDONLY | Fd.CLOEXEC);
                var ipc = Fd.open(ns.resolve("ipc"), Fd.RDONLY | Fd.CLOEXEC);
                var uts = Fd.open(ns.resolve("uts"), Fd.RDONLY | Fd.CLOEXEC)) {
            var state = arena.allocate(Errno.STATE);
            int result;
            try {
                result = (int) UNSHARE.invokeExact(state, CLONE_FS);
            } catch (Throwable t) {
                throw C.mismatch("unshare", t);
            }
            if (result != 0) {
                throw Errno.exception("unshare CLONE_FS", state);
            }
            enter(state, mnt, CLONE_NEWNS, "mount");
            enter(state, ipc, CLONE_NEWIPC, "IPC");
            enter(state, uts, CLONE_NEWUTS, "UTS");
        }
    }

    /**
     * Enters the cgroup namespace of a process and no other, so that this thread sees the machine's
     * cgroups as that process does, and may move processes between them.
     */
    public static void enterCgroups(long pid) throws ErrnoException {
        var file = Path.of("/proc", Long.toString(pid), "ns/cgroup");
        try (var arena = Arena.ofConfined();
                var cgroups = Fd.open(file, Fd.RDONLY | Fd.CLOEXEC)) {
            enter(arena.allocate(Errno.STATE), cgroups, CLONE_NEWCGROUP, "cgroup");
        }
    }

    private static void enter(MemorySegment state, Fd namespace, int type, String name)
            throws ErrnoException {
        int result;
        try {
            result = (int) SETNS.invokeExact(state, namespace.number(), type);
        } catch (Throwable t) {
            throw C.mismatch("setns", t);
        }
        if (result != 0) {
            throw Errno.exception("setns, " + name + " namespace", state);
        }
    }
}
