package lvms.launcher;

/**
 * The command line or the environment cannot be used; the message is the one line that a user sees.
 */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
