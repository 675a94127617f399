package lvms.tests.bench.gate;

/** The gate cannot do what is asked; the message says why in one line. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
