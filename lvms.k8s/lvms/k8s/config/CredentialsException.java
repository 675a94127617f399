package lvms.k8s.config;

import java.io.IOException;

/**
 * There are no credentials: a file, a plugin or a token source failed. Nothing was asked of the
 * server, and asking the same source again at once does not help.
 */
public final class CredentialsException extends IOException {
    private static final long serialVersionUID = 1;

    CredentialsException(String message, Throwable cause) {
        super(message, cause);
    }
}
