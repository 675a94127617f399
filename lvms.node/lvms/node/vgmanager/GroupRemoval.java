package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvmException;
import lvms.node.disk.InventoryReader;
import lvms.node.vgmanager.plan.VolumeGroupPlan;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/**
 * Removes a volume group from the disks of this node.
 *
 * @param reader reads the situation
 * @param inventory read anew first: removing a logical volume changes no device
 * @param retirement takes the labels off the devices at the end
 * @param steps takes the steps
 * @param outcome records how the pass ended
 */
record GroupRemoval(
        SituationReader reader,
        InventoryReader inventory,
        Retirement retirement,
        GroupSteps steps,
        GroupOutcome outcome) {
    /**
     * Removes as much as it can.
     *
     * @return empty if nothing of the group is left; else when to look again
     */
    Optional<Result> run(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
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
            case GroupSteps.End.Converged _ -> {
                retirement.finish();
                outcome.removed(group);
                yield Optional.empty();
            }
        };
    }
}
