package lvms.operator.volume;

import lvms.api.LogicalVolume;
import lvms.api.snapshot.SnapshotGroup;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Snapshots of several volumes, all of one instant.
 *
 * @param id id of the group
 * @param snapshots its members, sorted by name; all are ready
 */
public record GroupSnapshot(String id, List<LogicalVolume> snapshots) {
    public GroupSnapshot {
        snapshots = List.copyOf(snapshots);
    }

    /** Returns when the last of them was requested, in whole seconds. */
    public Instant created() {
        return snapshots.stream()
                .map(LogicalVolume::created)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /** Returns the id of the group that a snapshot is in; empty if in none. */
    static String idOf(LogicalVolume snapshot) {
        try {
            return SnapshotGroup.of(snapshot).map(SnapshotGroup::name).orElse("");
        } catch (IllegalArgumentException e) {
            return ""; // somebody else wrote it; its node says so
        }
    }
}
