package lvms.k8s.testkit.cel;

/** An expression that cannot be compiled or evaluated. */
public final class CelException extends Exception {
    private static final long serialVersionUID = 1;

    /** A failure with its reason. */
    public CelException(String message) {
        super(message);
    }
}
