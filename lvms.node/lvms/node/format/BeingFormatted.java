package lvms.node.format;

/**
 * No copy of a volume can be taken now, since its filesystem is not whole yet. Asking again later
 * continues.
 */
public final class BeingFormatted extends Exception {
    private static final long serialVersionUID = 1L;

    private BeingFormatted(String message) {
        super(message);
    }

    /** One that this process is making. */
    static BeingFormatted now(String volume) {
        return new BeingFormatted(
                "the filesystem of volume " + volume + " is being made; it is copied after that");
    }

    /** One that was begun, perhaps by a process that was killed, and did not get to its end. */
    static BeingFormatted cutShort(String volume) {
        return new BeingFormatted(
                "making the filesystem of volume "
                        + volume
                        + " failed or was cut short; it is made again when a pod uses the volume,"
                        + " and copied after that");
    }
}
