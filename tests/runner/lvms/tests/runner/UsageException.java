package lvms.tests.runner;

/** The test command was called in a way that it does not know; the message says so in one line. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
