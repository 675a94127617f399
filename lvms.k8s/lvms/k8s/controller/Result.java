package lvms.k8s.controller;

import java.time.Duration;

/** How one pass of a reconciler ended. An exception means it failed: repeat with back-off. */
public sealed interface Result {
    /** Nothing left to do before the next change. */
    record Done() implements Result {}

    /**
     * Look again later; failures are forgotten.
     *
     * @param delay how long to wait
     */
    record RequeueAfter(Duration delay) implements Result {}

    /** Look again with back-off. */
    record Requeue() implements Result {}

    /**
     * This can never work. It counts as an error, and is not repeated before the object changes.
     *
     * @param reason why, for the log
     */
    record Terminal(String reason) implements Result {}

    /** Returns {@link Done}. */
    static Result done() {
        return new Done();
    }

    /** Returns {@link RequeueAfter}. */
    static Result requeueAfter(Duration delay) {
        return new RequeueAfter(delay);
    }

    /** Returns {@link Requeue}. */
    static Result requeue() {
        return new Requeue();
    }

    /** Returns {@link Terminal}. */
    static Result terminal(String reason) {
        return new Terminal(reason);
    }
}
