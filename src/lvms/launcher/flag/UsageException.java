package lvms.launcher.flag;

/**
 * The command line or the environment cannot be used; the message is the one line that a user sees.
 */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
