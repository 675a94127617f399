package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.node.deviceclass.PoolGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.proof.GroupRemoval;
import lvms.node.proof.Proofs;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides the next step towards the volume group that the user wants. It is asked again after each
 * step, so it needs no memory: whatever a killed pass left behind is only a state to start from.
 *
 * @param givenUp UUIDs of missing physical volumes of RAID groups that may be given up
 */
public record VolumeGroupPlan(Situation s, Set<String> givenUp) {
    private static final Decision CONVERGED = new Decision.Converged();

    /** A plan that gives up no missing device. */
    public VolumeGroupPlan(Situation s) {
        this(s, Set.of());
    }

    /** Returns the next decision for a volume group that should exist. */
    public Decision next() {
        return foreign()
                .or(this::missingDevice)
                .or(() -> s.ours().flatMap(ours -> new DiskSizes(s, ours).next()))
                .or(this::badPath)
                .or(this::emptied)
                .or(this::devices)
                .or(() -> RemovalPlan.next(s))
                .or(() -> raid().flatMap(RaidPlan::refresh))
                .or(this::pool)
                .orElse(CONVERGED);
    }

    /** Returns the next decision for a volume group that should be removed. */
    public Decision nextOfRemoval() {
        return s.ours().isEmpty()
                ? ambiguous().orElse(CONVERGED)
                : removal(EventReason.MANUAL_CLEANUP, "");
    }

    /** A group of this name that does not prove to be ours is touched only if the user says so. */
    private Optional<Decision> foreign() {
        if (s.groups().isEmpty()) {
            return Optional.empty();
        }
        if (s.ours().isEmpty()) {
            return ambiguous().or(() -> Optional.of(new AdoptionPlan(s).next()));
        }
        var group = s.ours().get().group();
        return group.exported() || !group.writable()
                ? blocked(
                        EventReason.GROUP_FAILED,
                        "volume group \"%s\" is exported or read-only".formatted(group.name()))
                : Optional.empty();
    }

    private Optional<Decision> ambiguous() {
        return s.groups().size() < 2
                ? Optional.empty()
                : blocked(
                        EventReason.GROUP_FAILED,
                        "%d volume groups have the name \"%s\"; rename or remove the others"
                                .formatted(s.groups().size(), s.goal().volumeGroup()));
    }

    private Optional<Decision> missingDevice() {
        return s.goal().raid().isPresent()
                ? raid().flatMap(RaidPlan::missing)
                : missingWithoutRedundancy();
    }

    private Optional<RaidPlan> raid() {
        return s.goal()
                .raid()
                .flatMap(raid -> s.ours().map(ours -> new RaidPlan(s, ours, raid, givenUp)));
    }

    private Optional<Decision> missingWithoutRedundancy() {
        var missing = s.members().stream().filter(pv -> pv.pv().missing()).toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        var uuids = missing.stream().map(pv -> pv.pv().uuid()).collect(Collectors.joining(", "));
        return blocked(
                EventReason.PATH_CHECK_FAILED,
                ("physical volumes of volume group \"%s\" are missing: %s; repair the volume group"
                                + " first")
                        .formatted(s.goal().volumeGroup(), uuids));
    }

    private Optional<Decision> badPath() {
        return PathCheck.problem(s.selection(), s.verdicts())
                .map(problem -> new Decision.Blocked(EventReason.PATH_CHECK_FAILED, problem));
    }

    /** A list that names no device leaves no group, if no volume is in it. */
    private Optional<Decision> emptied() {
        if (!s.selection().namesNothing()) {
            return Optional.empty();
        }
        var why = "the class names no device any more, but ";
        return Optional.of(
                s.ours().isEmpty() ? CONVERGED : removal(EventReason.REMOVAL_FAILED, why));
    }

    private Optional<Decision> devices() {
        var available = s.available();
        boolean exists = s.ours().isPresent();
        if (available.isEmpty()) {
            return exists ? Optional.empty() : blocked(EventReason.NO_AVAILABLE_DEVICES, nothing());
        }
        var miscount =
                s.goal()
                        .raid()
                        .flatMap(raid -> raid.problemWith(available.size() + s.members().size()));
        if (miscount.isPresent()) {
            return blocked(EventReason.NO_AVAILABLE_DEVICES, miscount.get());
        }
        var renamed = NameCheck.problem(s);
        if (renamed.isPresent()) {
            return blocked(EventReason.PATH_CHECK_FAILED, renamed.get());
        }
        return act(exists ? new Step.ExtendGroup(available) : new Step.CreateGroup(available));
    }

    private String nothing() {
        return ("volume group \"%s\" with the tag \"%s\" was not found, and there were no available"
                        + " devices to create it%s")
                .formatted(s.goal().volumeGroup(), Names.VOLUME_GROUP_TAG, whyNone());
    }

    /**
     * Returns why the named devices cannot be used; for a node's other disks, the excluded devices
     * say enough.
     */
    private String whyNone() {
        var reasons =
                s.verdicts().stream()
                        .filter(DeviceVerdict::excluded)
                        .filter(v -> s.selection().names(v.device().kernelName()))
                        .flatMap(v -> v.reasons().stream())
                        .toList();
        return reasons.isEmpty() ? "" : ": " + String.join("; ", reasons);
    }

    private Optional<Decision> pool() {
        return s.goal()
                .pool()
                .flatMap(pool -> s.ours().flatMap(ours -> new PoolPlan(s, pool, ours).next()));
    }

    /**
     * @param blocked reason of the Event if volumes are in the group
     * @param why begins the message then
     */
    private Decision removal(EventReason blocked, String why) {
        var report = s.ours().orElseThrow();
        var poolName = s.goal().pool().map(PoolGoal::name).orElse("");
        var kept =
                report.logicalVolumes().stream()
                        .filter(lv -> !(PoolPlan.isPool(lv) && lv.name().lv().equals(poolName)))
                        .map(lv -> lv.name().toString())
                        .sorted()
                        .toList();
        var objection = Proofs.remove(new GroupRemoval(s.goal().volumeGroup(), kept));
        if (objection.isPresent()) {
            return new Decision.Blocked(blocked, why + objection.get());
        }
        if (report.logicalVolume(poolName).isPresent()) {
            return new Decision.Act(new Step.RemovePool(poolName));
        }
        // LVM does not remove a group with a missing device, even if it is empty.
        var missing = s.members().stream().filter(pv -> pv.pv().missing()).toList();
        return new Decision.Act(
                missing.isEmpty()
                        ? new Step.RemoveGroup(s.members())
                        : new Step.RemoveMissing(missing));
    }

    private static Optional<Decision> act(Step step) {
        return Optional.of(new Decision.Act(step));
    }

    private static Optional<Decision> blocked(EventReason reason, String message) {
        return Optional.of(new Decision.Blocked(reason, message));
    }
}
