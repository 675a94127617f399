package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvmException;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.MissingDevices;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;
import lvms.node.vgmanager.plan.VolumeGroupPlan;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Makes a volume group what the user wants.
 *
 * @param reader reads the situation
 * @param loops sees to it that loop devices are there first
 * @param retirement finishes what an earlier pass was taking out
 * @param forceWipe wipes devices first, if the user asked for it
 * @param missing how long devices of RAID groups have been missing
 * @param steps takes the steps
 * @param outcome records how the pass ended
 */
record GroupConvergence(
        SituationReader reader,
        GroupLoops loops,
        Retirement retirement,
        ForceWipe forceWipe,
        MissingDevices missing,
        GroupSteps steps,
        GroupOutcome outcome) {
    Result run(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
        var loopless = loops.make(group);
        retirement.finish();
        if (loopless.isPresent()) {
            var s = read(group, contenders);
            return outcome.blocked(group, s, EventReason.PATH_CHECK_FAILED, loopless.get());
        }
        var taken = outcome.taken(group);
        if (taken.isPresent()) {
            var s = reader.read(group, contenders).situation();
            return outcome.blocked(group, s, EventReason.GROUP_FAILED, taken.get());
        }
        var refusal = forceWipe.run(group, contenders);
        if (refusal.isPresent()) {
            var s = read(group, contenders);
            return outcome.blocked(group, s, EventReason.PATH_CHECK_FAILED, refusal.get());
        }
        var end = steps.take(group, () -> read(group, contenders), this::decision);
        return switch (end) {
            case GroupSteps.End.Converged(var s) ->
                    s.ours().isPresent() ? outcome.ready(group, s) : empty(group, s);
            case GroupSteps.End.Blocked(var s, var reason, var message) ->
                    outcome.blocked(group, s, reason, message);
        };
    }

    /** The class names no device: nothing is left to do, but for the labels of the last ones. */
    private Result empty(LvmVolumeGroup group, Situation s)
            throws IOException, LvmException, ApiException, InterruptedException {
        retirement.finish();
        return outcome.empty(group, s);
    }

    /** Does nothing for a group whose class or volume group is another one's. */
    Result refuse(LvmVolumeGroup group, String why) throws ApiException, InterruptedException {
        return outcome.refused(group, why);
    }

    /** Changes nothing on the disks: the node is no longer selected, and keeps what it has. */
    void keep(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
        loops.attach(group);
        if (!outcome.knows(group)) {
            read(group, contenders);
        }
    }

    private Situation read(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
        return outcome.known(group, reader.read(group, contenders).situation());
    }

    /** A lost device is given up early if this pass has added one to replace it. */
    private Decision decision(Situation s, List<Step> taken) {
        boolean replaced = taken.stream().anyMatch(Step.ExtendGroup.class::isInstance);
        return new VolumeGroupPlan(s, missing.givenUp(s, replaced)).next();
    }
}
