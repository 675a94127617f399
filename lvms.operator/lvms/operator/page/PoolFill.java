package lvms.operator.page;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A thin pool of a node and how full it is, in percent; empty while the pool is inactive.
 *
 * @param volumes how many volumes and snapshots it has
 * @param promisedBytes their sizes together
 * @param health what LVM says is wrong with it
 * @param history what it was before, oldest first
 */
record PoolFill(
        String node,
        String group,
        String name,
        long sizeBytes,
        OptionalDouble dataPercent,
        OptionalDouble metadataPercent,
        int volumes,
        long promisedBytes,
        Optional<String> health,
        List<Sample> history) {
    /** How full it was at a time. */
    record Sample(Instant time, double dataPercent, double metadataPercent) {}

    PoolFill {
        history = List.copyOf(history);
    }
}
