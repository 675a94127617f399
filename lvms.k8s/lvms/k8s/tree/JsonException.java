package lvms.k8s.tree;

/** The text is not JSON, or not the expected JSON. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what is wrong. */
    public JsonException(String message) {
        super(message);
    }

    /** Says what is wrong, and what it was found by. */
    public JsonException(String message, Throwable cause) {
        super(message, cause);
    }
}
