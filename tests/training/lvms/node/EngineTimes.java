package lvms.node;

import java.time.Duration;

/**
 * How long LVM takes on a simulated node.
 *
 * @param creation of a volume
 * @param removal of a volume
 * @param report of the group, or of anything else that is only read
 */
public record EngineTimes(Duration creation, Duration removal, Duration report) {
    /** What a thick volume takes on a node with a few dozen of them. */
    public static final EngineTimes USUAL =
            new EngineTimes(Duration.ofMillis(70), Duration.ofMillis(70), Duration.ofMillis(10));
}
