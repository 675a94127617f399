package lvms.k8s.client.wire;

import java.time.Duration;

/**
 * The moment at which a call, with all that it consists of, has to be over.
 *
 * @param nanos on the clock of {@link System#nanoTime}
 */
public record Deadline(long nanos) {
    /** Returns the deadline that lies this far ahead. */
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + nanosOf(time));
    }

    /** Returns the earlier of this deadline and the one that lies so far ahead. */
    public Deadline atMost(Duration time) {
        var other = in(time);
        return other.nanos - nanos < 0 ? other : this;
    }

    /** Returns the time that is left, zero once it is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** A time that is meant as "for ever" must not overflow. */
    private static long nanosOf(Duration time) {
        var longest = Duration.ofDays(365);
        return (time.compareTo(longest) < 0 ? time : longest).toNanos();
    }
}
