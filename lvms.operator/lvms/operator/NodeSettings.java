package lvms.operator;

import lvms.operator.node.StartupTaint;

import java.time.Duration;
import java.util.Optional;

/**
 * What is done about nodes if somebody asks for it.
 *
 * @param startupTaint key of the taint that a new Node loses when volumes are served there; empty
 *     leaves all taints alone
 * @param disposableAfter how long a pod has to wait for a cordoned node before its disposable
 *     claims are deleted, above zero; empty deletes none
 */
public record NodeSettings(String startupTaint, Optional<Duration> disposableAfter) {
    /** Nothing. */
    public static final NodeSettings NONE = new NodeSettings("", Optional.empty());

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if the taint is somebody else's, or the time is not above
     *     zero
     */
    public NodeSettings {
        taint(startupTaint);
        if (disposableAfter.filter(after -> !after.isPositive()).isPresent()) {
            throw new IllegalArgumentException("not above zero: " + disposableAfter.get());
        }
    }

    private static Optional<StartupTaint> taint(String key) {
        return key.isEmpty() ? Optional.empty() : Optional.of(new StartupTaint(key));
    }

    Optional<StartupTaint> taint() {
        return taint(startupTaint);
    }
}
