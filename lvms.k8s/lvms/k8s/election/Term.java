package lvms.k8s.election;

import java.time.Duration;
import java.util.Optional;

/**
 * The time during which this process leads: it ends by itself, the renew deadline after the last
 * renewal was begun. Any thread may ask.
 */
final class Term {
    private final Duration length;
    private final Clock clock;
    private volatile Optional<Clock.Moment> renewed = Optional.empty();

    Term(Duration length, Clock clock) {
        this.length = length;
        this.clock = clock;
    }

    /** Begins it, or lets it last longer. */
    void renewed(Clock.Moment start) {
        renewed = Optional.of(start);
    }

    void end() {
        renewed = Optional.empty();
    }

    /** Returns how long it lasts if it is not renewed; zero or less if it does not. */
    Duration left() {
        var now = clock.now();
        return renewed.map(start -> length.minus(start.age(now))).orElse(Duration.ZERO);
    }

    boolean lasts() {
        return left().isPositive();
    }
}
