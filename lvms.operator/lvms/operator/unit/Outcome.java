package lvms.operator.unit;

import java.time.Duration;

/** How one pass of a unit ended. An exception means: it failed, retry with back-off. */
public sealed interface Outcome {
    /** Spec and cluster agree; the resync is the only reason to look again. */
    record Converged() implements Outcome {}

    /**
     * Someone else has to act first.
     *
     * @param reason what is missing; it becomes part of a condition
     * @param retryAfter when to look again, if no event comes first
     */
    record Pending(String reason, Duration retryAfter) implements Outcome {}

    /**
     * This spec can never work. No retry before it changes.
     *
     * @param reason why not
     */
    record Rejected(String reason) implements Outcome {}
}
