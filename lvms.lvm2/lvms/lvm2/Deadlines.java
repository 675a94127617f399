package lvms.lvm2;

import java.time.Duration;

/**
 * How long an LVM command may run before it is killed, for each kind of command. The times are
 * long: they are meant for a library or a device that hangs, and a killed change has an unknown
 * outcome.
 *
 * @param read for reports, which may be killed and repeated freely
 * @param change for changes; begins anew while programs are at work that LVM started
 * @param copy for changes that copy data, such as {@link PhysicalVolumes#move}
 */
public record Deadlines(Duration read, Duration change, Duration copy) {
    /** One minute, ten minutes, seven days. */
    public static final Deadlines DEFAULT =
            new Deadlines(Duration.ofSeconds(60), Duration.ofMinutes(10), Duration.ofDays(7));

    /** Requires each deadline to be positive. */
    public Deadlines {
        if (!read.isPositive() || !change.isPositive() || !copy.isPositive()) {
            throw new IllegalArgumentException("a deadline must be positive");
        }
    }
}
