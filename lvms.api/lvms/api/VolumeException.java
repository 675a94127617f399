package lvms.api;

import java.util.Objects;

/** A volume operation failed; the code says why. */
public final class VolumeException extends Exception {
    private static final long serialVersionUID = 1;

    private final StatusCode code;

    /** Describes a failure without a cause. */
    public VolumeException(StatusCode code, String message) {
        this(code, message, null);
    }

    /** Describes a failure with a cause, which may be null. */
    public VolumeException(StatusCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code);
    }

    public StatusCode code() {
        return code;
    }
}
