package lvms.node.vgmanager.plan;

/** What a pass has to do next about a volume group. */
public sealed interface Decision {
    /** Take this step, then read the state and decide again. */
    record Act(Step step) implements Decision {}

    /**
     * Nothing can be done until something outside changes.
     *
     * @param reason reason of the event
     * @param message reason in the node status
     */
    record Blocked(EventReason reason, String message) implements Decision {}

    /** State and goal agree; for a deletion: nothing of ours is left on the disks. */
    record Converged() implements Decision {}
}
