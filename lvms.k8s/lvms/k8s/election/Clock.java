package lvms.k8s.election;

import java.time.Duration;

/** This machine's clocks: the monotonic clock, which a suspend stops, and the wall clock. */
interface Clock {
    Clock SYSTEM = () -> new Moment(System.nanoTime(), System.currentTimeMillis());

    Moment now();

    /** One moment on both clocks. */
    record Moment(long nanos, long wallMillis) {
        /** Returns how long ago this was, on the clock on which it is longer ago. */
        Duration age(Moment now) {
            var monotonic = Duration.ofNanos(now.nanos() - nanos);
            var wall = Duration.ofMillis(now.wallMillis() - wallMillis);
            return monotonic.compareTo(wall) > 0 ? monotonic : wall;
        }
    }
}
