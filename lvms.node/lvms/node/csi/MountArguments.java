package lvms.node.csi;

import lvms.lvm2.filesystem.Mounts.Flag;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Mount options as mount(2) takes them.
 *
 * @param flags flags of the mount
 * @param data options of the filesystem, separated by commas
 */
record MountArguments(Set<Flag> flags, String data) {
    MountArguments {
        flags = Set.copyOf(flags);
    }

    /**
     * Sorts options into flags and the rest; a later option undoes an earlier one, as in mount(8).
     */
    static MountArguments of(List<String> options) {
        var flags = EnumSet.noneOf(Flag.class);
        var data = new ArrayList<String>();
        for (var option : options) {
            switch (option) {
                case "nosuid" -> flags.add(Flag.NO_SUID);
                case "suid" -> flags.remove(Flag.NO_SUID);
                case "nodev" -> flags.add(Flag.NO_DEV);
                case "dev" -> flags.remove(Flag.NO_DEV);
                case "noexec" -> flags.add(Flag.NO_EXEC);
                case "exec" -> flags.remove(Flag.NO_EXEC);
                case "sync" -> flags.add(Flag.SYNCHRONOUS);
                case "async" -> flags.remove(Flag.SYNCHRONOUS);
                case "dirsync" -> flags.add(Flag.DIR_SYNC);
                case "noatime" -> flags.add(Flag.NO_ATIME);
                case "atime" -> flags.remove(Flag.NO_ATIME);
                case "nodiratime" -> flags.add(Flag.NO_DIR_ATIME);
                case "diratime" -> flags.remove(Flag.NO_DIR_ATIME);
                case "relatime" -> flags.add(Flag.RELATIME);
                case "norelatime" -> flags.remove(Flag.RELATIME);
                case "strictatime" -> flags.add(Flag.STRICT_ATIME);
                case "nostrictatime" -> flags.remove(Flag.STRICT_ATIME);
                case "iversion" -> flags.add(Flag.I_VERSION);
                case "noiversion" -> flags.remove(Flag.I_VERSION);
                case "nosymfollow" -> flags.add(Flag.NO_SYMFOLLOW);
                case "symfollow" -> flags.remove(Flag.NO_SYMFOLLOW);
                case "silent" -> flags.add(Flag.SILENT);
                case "loud" -> flags.remove(Flag.SILENT);
                case "lazytime" -> flags.add(Flag.LAZY_TIME);
                case "nolazytime" -> flags.remove(Flag.LAZY_TIME);
                default -> data.add(option);
            }
        }
        return new MountArguments(flags, String.join(",", data));
    }

    /** Returns the flags with read-only added. */
    Set<Flag> readOnlyFlags() {
        var all = EnumSet.of(Flag.READ_ONLY);
        all.addAll(flags);
        return Set.copyOf(all);
    }
}
