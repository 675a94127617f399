package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.snapshot.SnapshotGroup;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;
import lvms.node.format.BeingFormatted;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Snapshots that are to be of one instant. The pass that sees the last of their objects takes them
 * all; the passes before it do nothing. One group is taken or removed from at a time, so no
 * snapshot is taken for an object that is gone.
 *
 * @param sources finds the object that another is a snapshot of
 * @param turn held while a group is taken, or a snapshot of one is removed
 */
record TogetherTaking(
        NodeVolumes objects,
        NodeStorage storage,
        VolumeStatusWriter writer,
        Sources sources,
        InstantSource clock,
        ReentrantLock turn) {
    interface Sources {
        LogicalVolume of(LogicalVolume snapshot)
                throws ApiException, VolumeRefused, InterruptedException;
    }

    TogetherTaking(
            NodeVolumes objects,
            NodeStorage storage,
            VolumeStatusWriter writer,
            Sources sources,
            InstantSource clock) {
        this(objects, storage, writer, sources, clock, new ReentrantLock(true));
    }

    /** Returns whether a volume that is to be made, or removed, is such a snapshot. */
    static boolean concerns(LogicalVolume volume) {
        return volume.formerId().isEmpty()
                && volume.object()
                        .annotation(volume.driver().snapshotGroupAnnotation())
                        .isPresent();
    }

    /** Returns the snapshots that are still asked for in the group of one of them, it last. */
    List<LogicalVolume> members(LogicalVolume asked) throws VolumeRefused {
        var group = group(asked);
        var members = new ArrayList<LogicalVolume>();
        for (var other : objects.all()) {
            boolean member =
                    concerns(other)
                            && !other.object().terminating()
                            && !other.uid().equals(asked.uid());
            if (member && group(other).equals(group)) {
                members.add(other);
            }
        }
        members.add(asked);
        return members;
    }

    /**
     * Takes all snapshots of a group, or finds them.
     *
     * @param members what {@link #members} returned
     * @return those whose status is to be written, in the same order; none if objects are missing
     */
    List<LogicalVolume> take(List<LogicalVolume> members)
            throws ApiException, LvmException, VolumeRefused, BeingFormatted, InterruptedException {
        var group = group(members.getLast());
        if (members.size() < group.members()) {
            return List.of();
        }
        var copies = new ArrayList<NodeStorage.Copy>();
        for (var member : members) {
            copies.add(new NodeStorage.Copy(member, sources.of(member)));
        }
        storage.takeAtOnce(copies);
        var time = clock.instant();
        var taken = new ArrayList<LogicalVolume>();
        for (var member : members) {
            if (member.status().volumeId().isEmpty()) {
                taken.add(group.taken(member) ? member : writer.taken(member, group.name(), time));
            }
        }
        return taken;
    }

    private static SnapshotGroup group(LogicalVolume member) throws VolumeRefused {
        try {
            return SnapshotGroup.of(member).orElseThrow();
        } catch (IllegalArgumentException e) {
            throw new VolumeRefused(StatusCode.INVALID_ARGUMENT, e.getMessage());
        }
    }
}
