package lvms.node.volume;

import io.grpc.Status;

/** What a LogicalVolume asks for cannot be done, for a reason that LVM was not asked about. */
public final class VolumeRefused extends Exception {
    private static final long serialVersionUID = 1L;
    private final Status.Code code;

    VolumeRefused(Status.Code code, String message) {
        super(message);
        this.code = code;
    }

    /** Code for the status of the LogicalVolume. */
    int code() {
        return code.value();
    }
}
