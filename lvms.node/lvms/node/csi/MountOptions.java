package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.OptionList;
import lvms.lvm2.filesystem.SelinuxContext;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options one publication asks for, without those that only say where and how to mount.
 *
 * @param readOnly whether the target must be read-only
 * @param options options of the filesystem and the mount, each once, in the order of the request;
 *     never {@code ro} or {@code rw}
 */
record MountOptions(boolean readOnly, List<String> options) {
    private static final int LIMIT_BYTES = 4096; // CSI 1.12, VolumeCapability.MountVolume

    /** Options that leave the journal unread; the kernel accepts them only on a read-only mount. */
    private static final Set<String> WITHOUT_JOURNAL =
            Set.of("noload", "norecovery", "nologreplay", "rescue");

    MountOptions {
        options = List.copyOf(options);
    }

    /**
     * Reads the options of a request.
     *
     * @param flags {@code mount_flags}: an element may hold several options, separated by commas
     * @param readonly {@code readonly} of the request
     */
    static MountOptions of(Filesystem filesystem, List<String> flags, boolean readonly)
            throws VolumeException {
        if (flags.stream().mapToInt(String::length).sum() > LIMIT_BYTES) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT, "mount_flags are longer than 4096 bytes");
        }
        boolean readOnly = readonly;
        var options = new ArrayList<String>();
        for (var flag : flags) {
            for (var option : OptionList.split(flag)) {
                check(filesystem, option, readonly);
                readOnly |= option.equals("ro");
                if (!isDropped(option) && !options.contains(option)) {
                    options.add(option);
                }
            }
        }
        for (var own : filesystem.ownOptions()) {
            if (!options.contains(own)) {
                options.add(own);
            }
        }
        return new MountOptions(readOnly, options);
    }

    /** The SELinux context that the files have to have, if kubelet mounts with one. */
    Optional<SelinuxContext> context() {
        return SelinuxContext.among(options);
    }

    /** Whether the filesystem itself has to be read-only, not only the mount. */
    boolean leavesJournal() {
        return options.stream()
                .anyMatch(option -> WITHOUT_JOURNAL.contains(AllowedOptions.name(option)));
    }

    private static boolean isDropped(String option) {
        return option.equals("ro") || option.equals("rw") || AllowedOptions.isForFstab(option);
    }

    private static void check(Filesystem filesystem, String option, boolean readonly)
            throws VolumeException {
        if (option.isEmpty() || option.chars().anyMatch(c -> c <= ' ' || c >= 0x7f || c == '\\')) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT, "not a mount option: " + Quoted.of(option));
        }
        if (!AllowedOptions.allows(filesystem, option)) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    ("mount option %s is not one that a volume with %s may have; remove it from"
                                    + " the StorageClass")
                            .formatted(Quoted.of(option), filesystem.type()));
        }
        if (readonly && option.equals("rw")) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT, "mount option rw contradicts readonly");
        }
    }
}
