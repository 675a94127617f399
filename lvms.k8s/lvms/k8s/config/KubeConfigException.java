package lvms.k8s.config;

/** A configuration that cannot be used; the message names the file and what is wrong. */
public final class KubeConfigException extends Exception {
    private static final long serialVersionUID = 1;

    public KubeConfigException(String message) {
        super(message);
    }

    public KubeConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
