package lvms.lvm2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A request to move all data of a physical volume to others of its group.
 *
 * @param from the physical volume to empty
 * @param to where to move it; empty lets LVM choose
 * @param every how often to report progress, at least a second
 */
public record PhysicalVolumeMove(Identity<Path> from, List<Path> to, Duration every) {
    private static final Duration OFTEN = Duration.ofSeconds(1);

    public PhysicalVolumeMove {
        to = List.copyOf(to);
        Grammar.requireWholeDevice(from.name());
        to.forEach(Grammar::requireWholeDevice);
        if (every.compareTo(OFTEN) < 0) {
            throw new IllegalArgumentException(
                    "progress can be reported once a second at most, not every " + every);
        }
    }

    /** A move that reports its progress every five seconds. */
    public PhysicalVolumeMove(Identity<Path> from, List<Path> to) {
        this(from, to, Duration.ofSeconds(5));
    }
}
