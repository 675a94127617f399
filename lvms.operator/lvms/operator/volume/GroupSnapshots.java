package lvms.operator.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LogicalVolume.State;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.snapshot.SnapshotGroup;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The passes that make and remove snapshots of several volumes. Each is a LogicalVolume of its own,
 * which names the group and its size: the node waits for all of them and takes all at once. The
 * caller holds the lock of the group.
 */
final class GroupSnapshots {
    private final Driver driver;
    private final VolumeStore store;
    private final VolumeCreation creation;

    GroupSnapshots(Driver driver, VolumeStore store, VolumeCreation creation) {
        this.driver = driver;
        this.store = store;
        this.creation = creation;
    }

    private static String memberName(String id, String sourceId) {
        return ObjectNames.of(id + "." + sourceId);
    }

    static Set<String> memberNames(String id, List<String> sourceIds) {
        return sourceIds.stream().map(source -> memberName(id, source)).collect(Collectors.toSet());
    }

    /**
     * One pass.
     *
     * @param room what each gets whose volume is thick
     * @throws VolumeException why they cannot be taken; then none is left
     */
    Progress<GroupSnapshot> make(String id, List<String> sourceIds, StoreSize room)
            throws VolumeException, ApiException, InterruptedException {
        var group = group(id, sourceIds);
        var there = members(id);
        requireSame(group, there, sourceIds);
        requireNotFailed(group, there);
        if (there.size() < sourceIds.size()) {
            requireNoneTaken(group, there);
            requireTogether(sourceIds);
        }
        var snapshots = new ArrayList<LogicalVolume>();
        var pending = new ArrayList<String>();
        for (var sourceId : sourceIds) {
            switch (member(group, sourceId, room)) {
                case Progress.Converged<LogicalVolume>(var snapshot) -> snapshots.add(snapshot);
                case Progress.Pending<LogicalVolume>(var waiting) -> pending.add(waiting);
            }
        }
        if (!pending.isEmpty()) {
            return new Progress.Pending<>(pending.getFirst());
        }
        requireTaken(group, snapshots);
        return new Progress.Converged<>(new GroupSnapshot(id, snapshots));
    }

    /** The node takes none while one is missing, so those that are there can still be given up. */
    private Progress<LogicalVolume> member(SnapshotGroup group, String sourceId, StoreSize room)
            throws VolumeException, ApiException, InterruptedException {
        try {
            return creation.member(memberName(group.name(), sourceId), sourceId, room, group);
        } catch (VolumeException e) {
            giveUp(group, untaken(group));
            throw e;
        }
    }

    private static SnapshotGroup group(String id, List<String> sourceIds) throws VolumeException {
        if (sourceIds.isEmpty() || sourceIds.size() > new HashSet<>(sourceIds).size()) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "source_volume_ids must name at least one volume, and none twice");
        }
        return new SnapshotGroup(id, sourceIds.size());
    }

    private void requireSame(
            SnapshotGroup group, List<LogicalVolume> members, List<String> sourceIds)
            throws VolumeException {
        var wanted = memberNames(group.name(), sourceIds);
        for (var member : members) {
            if (!wanted.contains(member.name())
                    || !member.object()
                            .annotation(driver.snapshotGroupAnnotation())
                            .orElse("")
                            .equals(group.text())) {
                throw new VolumeException(
                        StatusCode.ALREADY_EXISTS,
                        group.name() + " exists, but is of other volumes");
            }
        }
    }

    /** The node takes all or none, so what is missing now was removed by somebody. */
    private static void requireNoneTaken(SnapshotGroup group, List<LogicalVolume> members)
            throws VolumeException {
        for (var member : members) {
            if (group.taken(member) && member.state() != State.TERMINATING) {
                throw new VolumeException(
                        StatusCode.ALREADY_EXISTS,
                        ("only %d of the %d snapshots of %s are left; one that is taken now would"
                                        + " be of another instant")
                                .formatted(members.size(), group.members(), group.name()));
            }
        }
    }

    /** The I/O of volumes can be held together only where it can be seen together. */
    private void requireTogether(List<String> sourceIds) throws VolumeException {
        var first = creation.source(sourceIds.getFirst());
        for (var id : sourceIds) {
            var other = creation.source(id);
            if (!other.spec().nodeName().equals(first.spec().nodeName())) {
                throw new VolumeException(
                        StatusCode.FAILED_PRECONDITION,
                        ("snapshots of one instant need volumes of one node, but %s is on %s and"
                                        + " %s on %s")
                                .formatted(
                                        first.name(),
                                        first.spec().nodeName(),
                                        other.name(),
                                        other.spec().nodeName()));
            }
        }
    }

    private void requireNotFailed(SnapshotGroup group, List<LogicalVolume> members)
            throws VolumeException, ApiException, InterruptedException {
        for (var member : members) {
            if (member.state() == State.FAILED) {
                giveUp(group, neverReady(group, member) ? _ -> true : untaken(group));
                throw new VolumeException(member.status().code(), VolumeCreation.failure(member));
            }
        }
    }

    /** A backup is made of snapshots that were ready, and keeps that they were taken. */
    private static boolean neverReady(SnapshotGroup group, LogicalVolume failed) {
        return group.taken(failed) && !failed.restored();
    }

    private static Predicate<LogicalVolume> untaken(SnapshotGroup group) {
        return member -> !group.taken(member);
    }

    /** An agent that does not know of groups took each for itself. */
    private void requireTaken(SnapshotGroup group, List<LogicalVolume> snapshots)
            throws VolumeException, ApiException, InterruptedException {
        for (var snapshot : snapshots) {
            if (!group.taken(snapshot)) {
                giveUp(group, untaken(group));
                throw new VolumeException(
                        StatusCode.UNIMPLEMENTED,
                        "the agent of node "
                                + snapshot.spec().nodeName()
                                + " cannot take snapshots of several volumes at once; update it");
            }
        }
    }

    /** Members that failed go last: if this pass is cut short, the next one sees why it was. */
    private void giveUp(SnapshotGroup group, Predicate<LogicalVolume> which)
            throws ApiException, InterruptedException {
        var members =
                members(group.name()).stream()
                        .filter(which)
                        .sorted(Comparator.comparing(member -> member.state() == State.FAILED))
                        .toList();
        for (var member : members) {
            store.delete(member);
        }
    }

    /** Finds a group whose members are all there and ready. */
    GroupSnapshot find(String id) throws VolumeException {
        var members = members(id);
        if (members.isEmpty()) {
            throw notFound("group snapshot " + id + " does not exist");
        }
        var group = SnapshotGroup.of(members.getFirst()).orElseThrow();
        long whole =
                members.stream()
                        .filter(member -> member.state() == State.READY && group.taken(member))
                        .count();
        if (whole != group.members()) {
            throw notFound(
                    "group snapshot %s is not whole: %d of its %d snapshots are ready"
                            .formatted(id, whole, group.members()));
        }
        return new GroupSnapshot(id, members);
    }

    private static VolumeException notFound(String text) {
        return new VolumeException(StatusCode.NOT_FOUND, text);
    }

    /** One pass towards the removal of all members. */
    Progress<Boolean> remove(String id) throws VolumeException, ApiException, InterruptedException {
        var pending = new ArrayList<String>();
        var members = members(id);
        for (var member : members) {
            requireNoCopies(member);
        }
        for (var member : members) {
            if (member.state() == State.TERMINATING || store.delete(member) != Deletion.GONE) {
                pending.add(member.name());
            }
        }
        return pending.isEmpty()
                ? new Progress.Converged<>(true)
                : new Progress.Pending<>(pending.getFirst());
    }

    private void requireNoCopies(LogicalVolume member) throws VolumeException {
        for (var copy : store.cutFrom(member.name())) {
            if (copy.state() == State.PENDING) {
                throw new VolumeException(
                        StatusCode.FAILED_PRECONDITION,
                        copy.name() + " is still being copied from " + member.name());
            }
        }
    }

    List<LogicalVolume> members(String id) {
        return id.isEmpty() ? List.of() : store.ofGroup(id);
    }
}
