package lvms.operator;

import lvms.operator.node.StartupTaint;

import java.util.Optional;

/**
 * What is done about nodes if somebody asks for it.
 *
 * @param startupTaint key of the taint that a new Node loses when volumes are served there; empty
 *     leaves all taints alone
 */
public record NodeSettings(String startupTaint) {
    /** Nothing. */
    public static final NodeSettings NONE = new NodeSettings("");

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if the taint is somebody else's
     */
    public NodeSettings {
        taint(startupTaint);
    }

    private static Optional<StartupTaint> taint(String key) {
        return key.isEmpty() ? Optional.empty() : Optional.of(new StartupTaint(key));
    }

    Optional<StartupTaint> taint() {
        return taint(startupTaint);
    }
}
