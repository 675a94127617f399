package lvms.launcher.flag;

import lvms.operator.NodeSettings;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The flags about what is done about nodes: nothing, unless one is given. */
public final class NodeFlags {
    private static final String STARTUP_TAINT = "startup-taint";
    private static final String DISPOSABLE_AFTER = "disposable-after";

    public static final List<Flag> ALL =
            List.of(
                    Flag.ofText(
                            STARTUP_TAINT,
                            "",
                            "key of the taint that a new Node loses once the driver is registered"
                                    + " there; empty takes none off"),
                    Flag.ofText(
                            DISPOSABLE_AFTER,
                            "",
                            "how long a pod of a StatefulSet has to wait for its cordoned node"
                                    + " before claims that are marked as disposable are deleted,"
                                    + " as 2m; empty deletes none"));

    private NodeFlags() {}

    /**
     * Reads the flags.
     *
     * @throws UsageException if the taint is somebody else's, or the time is none
     */
    public static NodeSettings read(Flags flags) throws UsageException {
        var after = disposableAfter(flags);
        try {
            return new NodeSettings(flags.text(STARTUP_TAINT), after);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--%s: %s".formatted(STARTUP_TAINT, e.getMessage()));
        }
    }

    private static Optional<Duration> disposableAfter(Flags flags) throws UsageException {
        return flags.text(DISPOSABLE_AFTER).isEmpty()
                ? Optional.empty()
                : Optional.of(GoDuration.of(flags, DISPOSABLE_AFTER));
    }
}
