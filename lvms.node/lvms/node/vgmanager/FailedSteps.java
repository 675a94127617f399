package lvms.node.vgmanager;

import lvms.node.vgmanager.plan.Step;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The step of each volume group that last failed or had no effect, kept until the group has
 * converged. Trying it again is not worth an Event. Any thread may call.
 */
final class FailedSteps {
    private final Map<String, Step> steps = new ConcurrentHashMap<>();

    void put(String group, Step step) {
        steps.put(group, step);
    }

    boolean contains(String group, Step step) {
        return step.equals(steps.get(group));
    }

    /** Notes that the group has nothing left to do. */
    void forget(String group) {
        steps.remove(group);
    }
}
