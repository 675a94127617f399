package lvms.k8s.config;

/** A configuration that cannot be used; the message names the file and what is wrong. */
public final class KubeConfigException extends Exception {
    private static final long serialVersionUID = 1;

    /** Returns an exception with a message. */
    public KubeConfigException(String message) {
        super(message);
    }

    /** Returns an exception with a message and what caused it. */
    public KubeConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
