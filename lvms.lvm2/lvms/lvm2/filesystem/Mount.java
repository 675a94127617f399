package lvms.lvm2.filesystem;

import lvms.lvm2.system.DeviceNumber;

import java.nio.file.Path;
import java.util.List;

/**
 * One line of {@code /proc/PID/mountinfo}; see proc_pid_mountinfo(5).
 *
 * @param id id of the mount
 * @param parentId id of the parent mount
 * @param device number of the filesystem's device; major 0 for filesystems without one
 * @param root which folder (or file) of the filesystem is mounted; for a bind-mounted device node
 *     its path below {@code /dev}
 * @param mountPoint where it is mounted
 * @param options options of the mount, such as {@code rw}, {@code relatime}
 * @param propagation optional fields, such as {@code shared:1}, {@code master:2}
 * @param fsType filesystem type
 * @param source what was mounted, such as a device path
 * @param superOptions options of the filesystem
 */
public record Mount(
        int id,
        int parentId,
        DeviceNumber device,
        String root,
        Path mountPoint,
        List<String> options,
        List<String> propagation,
        String fsType,
        String source,
        List<String> superOptions) {
    public Mount {
        options = List.copyOf(options);
        propagation = List.copyOf(propagation);
        superOptions = List.copyOf(superOptions);
    }

    /** Returns whether the mount, or its whole filesystem, is read only. */
    public boolean readOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }
}
