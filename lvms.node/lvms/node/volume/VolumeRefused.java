package lvms.node.volume;

import lvms.api.StatusCode;

/** A LogicalVolume asks for something that this node refuses without asking LVM. */
public final class VolumeRefused extends Exception {
    private static final long serialVersionUID = 1L;
    private final StatusCode code;

    /**
     * Says what is refused and why.
     *
     * @param code for the status of the LogicalVolume
     */
    public VolumeRefused(StatusCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Code for the status of the LogicalVolume. */
    StatusCode code() {
        return code;
    }
}
