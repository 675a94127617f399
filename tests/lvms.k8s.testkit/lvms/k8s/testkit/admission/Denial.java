package lvms.k8s.testkit.admission;

/** A request that a webhook or a policy did not admit. */
public final class Denial extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final String reason;

    Denial(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    /** The HTTP status to answer with. */
    public int code() {
        return code;
    }

    /** The reason of the answer's Status. */
    public String reason() {
        return reason;
    }
}
