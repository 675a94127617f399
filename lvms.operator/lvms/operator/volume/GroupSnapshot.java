package lvms.operator.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.snapshot.SnapshotGroup;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

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

    /** Returns when they were taken. */
    public Instant created() {
        return snapshots.stream()
                .map(LogicalVolume::taken)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /**
     * Checks what somebody says its snapshots are.
     *
     * @param ids their ids; none if nothing is said of them
     * @throws VolumeException INVALID_ARGUMENT if it has others
     */
    public void requireSnapshots(List<String> ids) throws VolumeException {
        var there = new TreeSet<String>();
        snapshots.forEach(snapshot -> there.add(snapshot.status().volumeId()));
        var said = new TreeSet<>(ids);
        if (!said.isEmpty() && !said.equals(there)) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "the snapshots of group snapshot %s are %s, not %s"
                            .formatted(id, String.join(", ", there), String.join(", ", said)));
        }
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
