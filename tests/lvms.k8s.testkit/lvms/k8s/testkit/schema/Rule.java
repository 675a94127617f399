package lvms.k8s.testkit.schema;

import lvms.k8s.testkit.cel.Program;

/**
 * One CEL rule of a schema.
 *
 * @param message what to say when it fails; empty to show the rule itself
 * @param reason the type of the cause
 * @param fieldPath the path to report, below the place of the rule, or empty
 */
public record Rule(
        Program program,
        String message,
        Program messageProgram,
        String reason,
        String fieldPath,
        boolean optionalOldSelf) {

    /** Whether the rule compares with the old state, so that it does not apply on creation. */
    public boolean transition() {
        return program.uses("oldSelf");
    }

    /** The text to report when the rule fails and names no message of its own. */
    public String fallbackMessage() {
        return message.isEmpty() ? "failed rule: " + program.text() : message;
    }
}
