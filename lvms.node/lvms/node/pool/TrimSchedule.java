package lvms.node.pool;

import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvName;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.zip.CRC32;

/**
 * When the filesystems in a pool are trimmed: once in each interval, at a moment that follows from
 * the names of node and pool. So the nodes of a cluster are spread over the interval, nothing has
 * to be kept, and an agent that starts often neither trims often nor never.
 *
 * @param interval time between two moments
 * @param offset the first moment, counted from the epoch; less than the interval
 */
record TrimSchedule(Duration interval, Duration offset) {
    static TrimSchedule of(Trim config, String node, LvName pool) {
        var interval = config.effectiveInterval();
        var name = new CRC32();
        name.update((node + "/" + pool).getBytes(StandardCharsets.UTF_8));
        return new TrimSchedule(
                interval, Duration.ofSeconds(name.getValue() % interval.toSeconds()));
    }

    /** Returns the first moment after another. */
    Instant next(Instant after) {
        long past = after.getEpochSecond() - offset.toSeconds();
        long intervals = Math.floorDiv(past, interval.toSeconds()) + 1;
        return Instant.ofEpochSecond(offset.toSeconds() + intervals * interval.toSeconds());
    }

    /**
     * Returns whether a moment has come.
     *
     * @param since when the pool was trimmed last, or its follower began
     */
    boolean due(Instant since, Instant now) {
        return !next(since).isAfter(now);
    }
}
