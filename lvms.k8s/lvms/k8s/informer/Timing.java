package lvms.k8s.informer;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The times of the list and watch loop. The defaults are client-go's, where it has any.
 *
 * @param watchMin shortest time asked for a watch; the longest is twice as long
 * @param watchGrace how much longer than asked a watch may last before it counts as stalled
 * @param silenceAfterBookmark how long a watch may be silent where the server sends bookmarks
 * @param probeAfter silence after which we ask the server whether we missed something
 * @param shortWatch a watch that ends sooner is short: the next one is not opened at once, and one
 *     without an event hints at a version that is too old
 * @param firstBackoff first pause after a failure
 * @param maxBackoff longest pause, before jitter
 * @param backoffReset time without failures after which pauses start over
 * @param initialSilence silence after which we give up an unfinished streaming list
 * @param tellAfter how long it may fail to follow before the log says so, whatever the reason
 */
record Timing(
        Duration watchMin,
        Duration watchGrace,
        Duration silenceAfterBookmark,
        Duration probeAfter,
        Duration shortWatch,
        Duration firstBackoff,
        Duration maxBackoff,
        Duration backoffReset,
        Duration initialSilence,
        Duration tellAfter) {
    static final Timing DEFAULT =
            new Timing(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(150), // two and a half bookmarks
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(800),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(1));

    /** Returns a random whole number of seconds, so that a process's watches spread out. */
    Duration watchTimeout() {
        long min = Math.max(1, watchMin.toSeconds());
        return Duration.ofSeconds(ThreadLocalRandom.current().nextLong(min, 2 * min));
    }
}
