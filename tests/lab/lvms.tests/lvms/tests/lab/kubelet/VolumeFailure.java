package lvms.tests.lab.kubelet;

/** A volume is not there yet; the text is what kubelet's event says. It is tried again. */
final class VolumeFailure extends Exception {
    private static final long serialVersionUID = 1L;

    VolumeFailure(String message) {
        super(message);
    }

    VolumeFailure(String message, Exception cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
