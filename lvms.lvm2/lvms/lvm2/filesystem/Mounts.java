package lvms.lvm2.filesystem;

import lvms.lvm2.ffi.MountCalls;
import lvms.lvm2.system.ErrnoException;

import java.nio.file.Path;
import java.util.Set;

/**
 * mount(2) and umount2(2). The kernel follows symbolic links in targets: give paths whose real path
 * you have checked. Any thread may call; a call may block as long as the device does.
 */
public final class Mounts {
    /** Flags of a mount, MS_... of mount(2). */
    public enum Flag {
        READ_ONLY(1),
        /** Ignore set-user-ID bits. */
        NO_SUID(2),
        /** No device nodes. */
        NO_DEV(4),
        /** No programs. */
        NO_EXEC(8),
        /** Write at once. */
        SYNCHRONOUS(16),
        /** Directories are written at once. */
        DIR_SYNC(128),
        /** Symbolic links are not followed; since Linux 5.10. */
        NO_SYMFOLLOW(256),
        /** No access times. */
        NO_ATIME(1024),
        /** No access times of directories. */
        NO_DIR_ATIME(2048),
        /** Fewer messages of the kernel about the mount. */
        SILENT(1 << 15),
        /** Access times now and then. */
        RELATIME(1 << 21),
        /** The version of an inode counts its changes. */
        I_VERSION(1 << 23),
        /** Access times always. */
        STRICT_ATIME(1 << 24),
        /** Times are written late. */
        LAZY_TIME(1 << 25);

        private final long bit;

        Flag(long bit) {
            this.bit = bit;
        }
    }

    /** How mounts below a mount point propagate to other namespaces. */
    public enum Propagation {
        /** Not at all. */
        PRIVATE(1 << 18),
        /** Not at all, and it cannot be bind mounted. */
        UNBINDABLE(1 << 17),
        /** Only inwards. */
        SLAVE(1 << 19),
        /** Both ways. */
        SHARED(1 << 20);

        private final long bit;

        Propagation(long bit) {
            this.bit = bit;
        }
    }

    private static final long REMOUNT = 32;
    private static final long BIND = 4096;
    private static final long RECURSIVE = 16384;
    private static final int DETACH = 2;
    private static final int NO_FOLLOW = 8;

    private Mounts() {}

    /**
     * Mounts a filesystem.
     *
     * @param data options of the filesystem, such as {@code nouuid}; may be empty
     */
    public static void mount(Path device, Path target, String fsType, Set<Flag> flags, String data)
            throws ErrnoException {
        MountCalls.mount(device.toString(), target.toString(), fsType, bits(flags), data);
    }

    /**
     * Bind mounts a folder, file or device node onto an existing target of the same kind, then sets
     * the flags with a remount, since the kernel ignores them at bind time. The target is unmounted
     * again if that fails.
     */
    public static void bind(Path source, Path target, Set<Flag> flags) throws ErrnoException {
        MountCalls.mount(source.toString(), target.toString(), "", BIND, "");
        if (flags.isEmpty()) {
            return;
        }
        try {
            MountCalls.mount("none", target.toString(), "", BIND | REMOUNT | bits(flags), "");
        } catch (ErrnoException e) {
            MountCalls.unmount(target.toString(), NO_FOLLOW);
            throw e;
        }
    }

    /** Sets the flags of one mount; its filesystem and other mounts of it stay as they are. */
    public static void setFlags(Path target, Set<Flag> flags) throws ErrnoException {
        MountCalls.mount("none", target.toString(), "", BIND | REMOUNT | bits(flags), "");
    }

    /** Changes flags and options of a mounted filesystem. */
    public static void remount(Path target, Set<Flag> flags, String data) throws ErrnoException {
        MountCalls.mount("none", target.toString(), "", REMOUNT | bits(flags), data);
    }

    /** Sets the propagation of a mount, and of those below it if {@code recursive}. */
    public static void propagation(Path target, Propagation propagation, boolean recursive)
            throws ErrnoException {
        long flags = propagation.bit | (recursive ? RECURSIVE : 0);
        MountCalls.mount("none", target.toString(), "", flags, "");
    }

    /**
     * Unmounts the topmost mount at a target; does not follow a symbolic link there.
     *
     * @throws ErrnoException EINVAL if nothing is mounted there, EBUSY if it is in use, ENOENT
     */
    public static void unmount(Path target) throws ErrnoException {
        MountCalls.unmount(target.toString(), NO_FOLLOW);
    }

    /** Removes the mount from the tree now; it ends when its last user does (MNT_DETACH). */
    public static void detach(Path target) throws ErrnoException {
        MountCalls.unmount(target.toString(), NO_FOLLOW | DETACH);
    }

    private static long bits(Set<Flag> flags) {
        return flags.stream().mapToLong(flag -> flag.bit).reduce(0, (a, b) -> a | b);
    }
}
