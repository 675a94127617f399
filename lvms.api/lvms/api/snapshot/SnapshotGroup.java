package lvms.api.snapshot;

import lvms.api.LogicalVolume;

import java.util.Optional;

/**
 * Snapshots of several volumes on one node, all of one instant. Each of their LogicalVolumes names
 * the group and says how many there are, so that the node takes all or none.
 *
 * @param name name of the group, and its id in CSI
 * @param members how many snapshots there are
 */
public record SnapshotGroup(String name, int members) {
    private static final char SEPARATOR = '/'; // no name of an object has one

    public SnapshotGroup {
        if (name.isEmpty() || name.indexOf(SEPARATOR) >= 0 || members < 1) {
            throw new IllegalArgumentException(
                    "not a group of snapshots: \"%s\" with %d members".formatted(name, members));
        }
    }

    /**
     * Reads what the object of a snapshot says.
     *
     * @return empty if the snapshot is in no group
     * @throws IllegalArgumentException if its annotation cannot be read
     */
    public static Optional<SnapshotGroup> of(LogicalVolume snapshot) {
        return snapshot.object()
                .annotation(snapshot.driver().snapshotGroupAnnotation())
                .map(SnapshotGroup::parse);
    }

    private static SnapshotGroup parse(String text) {
        int at = text.indexOf(SEPARATOR);
        try {
            return new SnapshotGroup(
                    text.substring(0, Math.max(at, 0)), Integer.parseInt(text.substring(at + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "expected NAME/NUMBER as the group of a snapshot, found \"" + text + '"', e);
        }
    }

    /** Returns the text of the annotation. */
    public String text() {
        return name + SEPARATOR + members;
    }

    /** Returns whether its node took a snapshot together with the others of this group. */
    public boolean taken(LogicalVolume snapshot) {
        return snapshot.object()
                .annotation(snapshot.driver().takenInGroupAnnotation())
                .filter(name::equals)
                .isPresent();
    }
}
