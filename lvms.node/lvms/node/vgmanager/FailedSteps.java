package lvms.node.vgmanager;

import lvms.node.vgmanager.plan.Step;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The step of each volume group that failed last or had no effect, until the group is settled: to
 * try it again is no news. Any thread may call.
 */
final class FailedSteps {
    private final Map<String, Step> steps = new ConcurrentHashMap<>();

    /** Notes that a step failed. */
    void put(String group, Step step) {
        steps.put(group, step);
    }

    /** Returns whether this is the step that failed last. */
    boolean contains(String group, Step step) {
        return step.equals(steps.get(group));
    }

    /** Notes that nothing of the group is left to do. */
    void forget(String group) {
        steps.remove(group);
    }
}
