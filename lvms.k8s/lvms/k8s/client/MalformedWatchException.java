package lvms.k8s.client;

import java.io.IOException;

/**
 * A watch delivered something that is not an event. The chain of versions is broken; only a list
 * helps.
 */
public final class MalformedWatchException extends IOException {
    private static final long serialVersionUID = 1;

    public MalformedWatchException(String message) {
        super(message);
    }

    MalformedWatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
