package lvms.operator.volume;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.filesystem.MkfsOptions;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How pods see a volume. */
public sealed interface Access {
    /** As a raw device. */
    record Block() implements Access {}

    /**
     * As a filesystem.
     *
     * @param fsType filesystem type, empty for the node's default
     * @param mkfsOptions how to make it, see {@link MkfsOptions}; may be empty
     * @param mountOptions how to mount it
     */
    record Mount(String fsType, String mkfsOptions, List<String> mountOptions) implements Access {
        /** ext4(5): after a crash, a file may show what its blocks held before. */
        private static final String WRITEBACK = "data=writeback";

        public Mount {
            mountOptions = List.copyOf(mountOptions);
        }

        /** A filesystem with the default options. */
        public Mount(String fsType) {
            this(fsType, "", List.of());
        }

        /** Returns whether options, each perhaps several between commas, show old blocks. */
        public static boolean showsOldBlocks(List<String> mountOptions) {
            return mountOptions.stream()
                    .flatMap(options -> Arrays.stream(options.split(",")))
                    .anyMatch(option -> option.strip().equals(WRITEBACK));
        }

        /**
         * Returns what the node that makes the filesystem has to know, for {@code volume_context}.
         */
        public Map<String, String> attributes() {
            return mkfsOptions.isBlank() ? Map.of() : Map.of(MkfsOptions.PARAMETER, mkfsOptions);
        }

        private void check() throws VolumeException {
            if (!fsType.isEmpty() && !Names.FILESYSTEMS.contains(fsType)) {
                throw new VolumeException(
                        StatusCode.INVALID_ARGUMENT,
                        "filesystem \"%s\" is not one of %s; change %s of the StorageClass"
                                .formatted(
                                        fsType,
                                        String.join(", ", Names.FILESYSTEMS),
                                        Names.PARAMETER_FSTYPE));
            }
            MkfsOptions.of(fsType, mkfsOptions);
            if (showsOldBlocks(mountOptions)) {
                throw new VolumeException(
                        StatusCode.INVALID_ARGUMENT,
                        "mount option "
                                + WRITEBACK
                                + ": after a crash, files would show what volumes of others left on"
                                + " the disks; take it out of the mountOptions of the"
                                + " StorageClass");
            }
        }
    }

    /**
     * Refuses a filesystem that no node can make, or not in this way: a claim would be bound, and
     * its pod would never start.
     *
     * @throws VolumeException INVALID_ARGUMENT
     */
    default void requireKnown() throws VolumeException {
        if (this instanceof Mount mount) {
            mount.check();
        }
    }
}
