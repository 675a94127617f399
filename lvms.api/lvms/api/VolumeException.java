package lvms.api;

import java.util.Objects;

/** A volume operation ended without its result, for the reason that its code names. */
public final class VolumeException extends Exception {
    private static final long serialVersionUID = 1;

    private final StatusCode code;

    /** Describes a failure whose message says all there is to say. */
    public VolumeException(StatusCode code, String message) {
        this(code, message, null);
    }

    /** Describes a failure that has a cause; it may be null. */
    public VolumeException(StatusCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code);
    }

    public StatusCode code() {
        return code;
    }
}
