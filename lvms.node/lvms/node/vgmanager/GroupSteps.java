package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;
import lvms.node.disk.InventoryReader;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;
import lvms.node.vgmanager.plan.StepEvent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the steps of one pass: read, decide, take a step, read again, until the plan has no step
 * left. A step that is decided twice in a row had no effect, and ends the pass.
 *
 * @param runner makes the changes
 * @param inventory read anew after each step
 * @param retirement notes devices before they are taken out
 * @param failed the step of each group that failed last
 * @param reporter reports progress, Events and failures
 * @param lvmChanged called after each LVM change
 * @param membersChanged called if devices joined or left: what one group takes or leaves concerns
 *     the others
 */
record GroupSteps(
        StepRunner runner,
        InventoryReader inventory,
        Retirement retirement,
        FailedSteps failed,
        GroupReporter reporter,
        Runnable lvmChanged,
        Runnable membersChanged) {
    private static final System.Logger LOG = System.getLogger(GroupSteps.class.getName());

    /** Reads the group as it is now. */
    interface Reading {
        Situation read() throws IOException, LvmException, ApiException, InterruptedException;
    }

    /** Decides from what was read and from the steps that this pass has taken. */
    interface Plan {
        Decision next(Situation s, List<Step> taken);
    }

    /** How a pass ended, and the situation at its end. */
    sealed interface End {
        record Converged(Situation s) implements End {}

        record Blocked(Situation s, EventReason reason, String message) implements End {}
    }

    End take(LvmVolumeGroup group, Reading reading, Plan plan)
            throws IOException, LvmException, ApiException, InterruptedException {
        var taken = new ArrayList<Step>();
        while (true) {
            var s = reading.read();
            switch (plan.next(s, List.copyOf(taken))) {
                case Decision.Act(var step)
                        when !taken.isEmpty() && step.equals(taken.getLast()) -> {
                    failed.put(group.name(), step);
                    return new End.Blocked(s, step.failure(), step.futile());
                }
                case Decision.Act(var step) -> {
                    take(step, s, group);
                    taken.add(step);
                }
                case Decision.Blocked(var reason, var message) -> {
                    return new End.Blocked(s, reason, message);
                }
                case Decision.Converged() -> {
                    return new End.Converged(s);
                }
            }
        }
    }

    private void take(Step step, Situation s, LvmVolumeGroup group)
            throws LvmException, ApiException, InterruptedException {
        boolean again = failed.contains(group.name(), step);
        if (!again) { // else the status keeps saying why it failed
            reporter.progressing(group, StatusEntry.progressing(s));
        }
        retirement.note(step);
        LOG.log(
                again ? DEBUG : INFO,
                () -> "volume group step vg=" + s.goal().volumeGroup() + " step=" + step.name());
        try {
            runner.run(step, s);
        } catch (LvmException e) {
            failed.put(group.name(), step);
            reporter.thrown(group, StatusEntry.failed(s, e.getMessage()), step.failure());
            throw e;
        } finally {
            inventory.invalidate();
            lvmChanged.run();
        }
        StepEvent.of(step).ifPresent(e -> reporter.event(group, e.reason(), e.note()));
        if (step.changesMembers()) {
            membersChanged.run();
        }
    }
}
