package lvms.operator.volume;

import java.util.Optional;

/** Where the first content of a volume comes from. */
public sealed interface Origin {
    /** Returns the id of the volume or snapshot. */
    String id();

    /**
     * A snapshot.
     *
     * @param id snapshot id
     * @param mode the volume mode of what it was taken from, as its VolumeSnapshotContent says
     */
    record FromSnapshot(String id, Optional<String> mode) implements Origin {
        /** One of which nobody says more than its id. */
        public FromSnapshot(String id) {
            this(id, Optional.empty());
        }
    }

    /**
     * Another volume.
     *
     * @param id volume id
     */
    record FromVolume(String id) implements Origin {}
}
