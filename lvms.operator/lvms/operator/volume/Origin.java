package lvms.operator.volume;

/** Where the first content of a volume comes from. */
public sealed interface Origin {
    /** Returns the id of the volume or snapshot. */
    String id();

    /**
     * A snapshot.
     *
     * @param id snapshot id
     */
    record FromSnapshot(String id) implements Origin {}

    /**
     * Another volume.
     *
     * @param id volume id
     */
    record FromVolume(String id) implements Origin {}
}
