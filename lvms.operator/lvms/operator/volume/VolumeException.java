package lvms.operator.volume;

import java.util.Objects;

/** A volume operation ended without its result, for the reason that its code names. */
public final class VolumeException extends Exception {
    private static final long serialVersionUID = 1;

    private final Code code;

    /** Describes a failure. */
    public VolumeException(Code code, String message) {
        super(message);
        this.code = Objects.requireNonNull(code);
    }

    /** Returns the code. */
    public Code code() {
        return code;
    }
}
