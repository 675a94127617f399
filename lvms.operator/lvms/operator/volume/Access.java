package lvms.operator.volume;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

/** How pods see a volume. */
public sealed interface Access {
    /** As a raw device. */
    record Block() implements Access {}

    /**
     * As a filesystem.
     *
     * @param fsType filesystem type, empty for the node's default
     */
    record Mount(String fsType) implements Access {}

    /**
     * Refuses a filesystem that no node can make: a claim would be bound, and its pod would never
     * start.
     *
     * @throws VolumeException INVALID_ARGUMENT
     */
    default void requireKnown() throws VolumeException {
        if (this instanceof Mount(var fsType)
                && !fsType.isEmpty()
                && !Names.FILESYSTEMS.contains(fsType)) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "filesystem \"%s\" is not one of %s; change %s of the StorageClass"
                            .formatted(
                                    fsType,
                                    String.join(", ", Names.FILESYSTEMS),
                                    Names.PARAMETER_FSTYPE));
        }
    }
}
