package lvms.launcher.flag;

import lvms.operator.NodeSettings;

import java.util.List;

/** The flags about what is done about nodes: nothing, unless one is given. */
public final class NodeFlags {
    private static final String STARTUP_TAINT = "startup-taint";

    public static final List<Flag> ALL =
            List.of(
                    Flag.ofText(
                            STARTUP_TAINT,
                            "",
                            "key of the taint that a new Node loses once the driver is registered"
                                    + " there; empty takes none off"));

    private NodeFlags() {}

    /**
     * Reads the flags.
     *
     * @throws UsageException if the taint is somebody else's
     */
    public static NodeSettings read(Flags flags) throws UsageException {
        try {
            return new NodeSettings(flags.text(STARTUP_TAINT));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--%s: %s".formatted(STARTUP_TAINT, e.getMessage()));
        }
    }
}
