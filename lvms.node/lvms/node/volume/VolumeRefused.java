package lvms.node.volume;

import lvms.api.StatusCode;

/** What a LogicalVolume asks for cannot be done, for a reason that LVM was not asked about. */
public final class VolumeRefused extends Exception {
    private static final long serialVersionUID = 1L;
    private final StatusCode code;

    VolumeRefused(StatusCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Code for the status of the LogicalVolume. */
    StatusCode code() {
        return code;
    }
}
