package lvms.lvm2;

import java.time.Duration;

/**
 * How long a command of LVM may run before it is killed, by what it does. The times are long, since
 * they are for a library or a device that hangs: a change that is killed has an unknown outcome.
 *
 * @param read for reports, which may be killed and repeated freely
 * @param change for changes
 * @param copy for changes that copy data meanwhile, such as {@link PhysicalVolumes#move}
 */
public record Deadlines(Duration read, Duration change, Duration copy) {
    /** One minute, ten minutes, seven days. */
    public static final Deadlines DEFAULT =
            new Deadlines(Duration.ofSeconds(60), Duration.ofMinutes(10), Duration.ofDays(7));

    /** Checks that there is time for each. */
    public Deadlines {
        if (!read.isPositive() || !change.isPositive() || !copy.isPositive()) {
            throw new IllegalArgumentException("a deadline must be positive");
        }
    }
}
