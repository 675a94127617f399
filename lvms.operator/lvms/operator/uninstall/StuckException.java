package lvms.operator.uninstall;

/** A step did not come to its end in time; the message says what it waits for. */
public final class StuckException extends Exception {
    private static final long serialVersionUID = 1;

    public StuckException(String message) {
        super(message);
    }
}
