package lvms.tests.cluster.ginkgo;

/**
 * One case of the suite, as its report has it.
 *
 * @param name the texts of its containers and its own, with a slash between
 * @param message what a failed or skipped one says
 */
public record Case(String name, State state, String message) {
    /** How a case ended. */
    public enum State {
        PASSED,
        FAILED,
        SKIPPED,
        /** Written but switched off by the suite itself. */
        PENDING
    }

    @Override
    public String toString() {
        return name + (message.isEmpty() ? "" : ": " + message);
    }
}
