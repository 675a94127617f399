package lvms.node.pool;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.LvName;
import lvms.lvm2.device.ThinPoolUsage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * How full each pool of this node was during the last day: one sample per ten minutes, some seven
 * kilobytes for a pool. It is in memory alone, so a restart begins anew. Any thread may use it.
 */
public final class PoolHistory {
    private static final Duration STEP = Duration.ofMinutes(10);
    private static final int SAMPLES = 144;

    private final InstantSource clock;
    private final Map<LvName, Deque<Sample>> pools = new TreeMap<>();

    private record Sample(Instant time, float dataPercent, float metadataPercent) {}

    PoolHistory(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Notes how full a pool is, if that was not done lately. A clock that is set back starts anew.
     */
    synchronized void note(LvName pool, ThinPoolUsage usage) {
        var samples = pools.computeIfAbsent(pool, _ -> new ArrayDeque<>());
        var now = clock.instant();
        if (!samples.isEmpty() && samples.getLast().time().isAfter(now)) {
            samples.clear();
        }
        if (!samples.isEmpty() && now.isBefore(samples.getLast().time().plus(STEP))) {
            return;
        }
        if (samples.size() == SAMPLES) {
            samples.removeFirst();
        }
        samples.add(
                new Sample(now, (float) usage.dataUse() * 100, (float) usage.metadataUse() * 100));
    }

    /** A pool that comes later by the same name is another one. */
    synchronized void forget(LvName pool) {
        pools.remove(pool);
    }

    /** Returns all samples, oldest first. */
    public synchronized ListTree json() {
        var all = ListTree.builder();
        pools.forEach((pool, samples) -> samples.forEach(sample -> all.add(json(pool, sample))));
        return all.build();
    }

    private static ObjectTree json(LvName pool, Sample sample) {
        var json = ObjectTree.builder();
        json.put("pool", pool.toString());
        json.put("time", sample.time().toString());
        json.put("dataPercent", tenths(sample.dataPercent()));
        json.put("metadataPercent", tenths(sample.metadataPercent()));
        return json.build();
    }

    private static double tenths(float percent) {
        return Math.round(percent * 10) / 10.0;
    }
}
