package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvmException;
import lvms.node.disk.InventoryReader;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.VolumeGroupPlan;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/**
 * Takes a volume group out of service, and off the disks of this node unless it is to stay there.
 *
 * @param reader reads the situation
 * @param loops attached first, so that nothing of the group is overlooked, and gone in the end
 * @param inventory read anew first: removing a logical volume changes no device
 * @param retirement takes the labels off the devices at the end
 * @param steps takes the steps
 * @param outcome records how the pass ended
 */
record GroupRemoval(
        SituationReader reader,
        GroupLoops loops,
        InventoryReader inventory,
        Retirement retirement,
        GroupSteps steps,
        GroupOutcome outcome) {
    /**
     * Removes as much as it can; of a group that is to stay, the class alone.
     *
     * @return empty if it is done; else when to look again
     */
    Optional<Result> run(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
        if (group.spec().listing().retainOnDelete()) {
            outcome.retained(group);
            return Optional.empty();
        }
        var attached = loops.attach(group);
        inventory.invalidate();
        var end =
                steps.take(
                        group,
                        () ->
                                outcome.known(
                                        group,
                                        reader.read(group, contenders)
                                                .situation()
                                                .withoutVerdicts()),
                        (s, _) -> new VolumeGroupPlan(s).nextOfRemoval());
        return switch (end) {
            case GroupSteps.End.Blocked(var s, var reason, var message) ->
                    Optional.of(outcome.blocked(group, s, reason, message));
            case GroupSteps.End.Converged(var s) when isAway(s) ->
                    Optional.of(
                            outcome.blocked(
                                    group,
                                    s,
                                    EventReason.MANUAL_CLEANUP,
                                    retirement.status().goneForGood(s.goal().volumeGroup())));
            case GroupSteps.End.Converged(var s) -> {
                retirement.finish();
                var kept = loops.remove(group, attached);
                if (kept.isPresent()) {
                    yield Optional.of(
                            outcome.blocked(group, s, EventReason.MANUAL_CLEANUP, kept.get()));
                }
                outcome.removed(group);
                yield Optional.empty();
            }
        };
    }

    /** LVM says nothing of a group whose disks are not there, or cannot be read. */
    private boolean isAway(Situation s) {
        return retirement
                .status()
                .knownGroup(s.goal().volumeGroup())
                .filter(
                        uuid ->
                                s.groups().stream()
                                        .noneMatch(found -> found.group().uuid().equals(uuid)))
                .isPresent();
    }
}
