package lvms.k8s.exec;

/** A command that did not run, or whose end is not known. What it did is not known either. */
public final class ExecException extends Exception {
    private static final long serialVersionUID = 1;

    ExecException(String message, Throwable cause) {
        super(message, cause);
    }
}
