package lvms.operator.volume;

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
}
