package lvms.node.pool;

import lvms.lvm2.LvName;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which pools get no new volumes now, and why. Any thread may call. */
public final class PoolRefusals {
    private final Map<LvName, String> refusals = new ConcurrentHashMap<>();

    /** Returns why a pool gets no new volume, snapshot or growth; empty if it does. */
    public Optional<String> of(LvName pool) {
        return Optional.ofNullable(refusals.get(pool));
    }

    /** Sets or drops the refusal of a pool; returns whether that changed anything. */
    boolean set(LvName pool, Optional<String> refusal) {
        var before =
                refusal.isPresent() ? refusals.put(pool, refusal.get()) : refusals.remove(pool);
        return !refusal.equals(Optional.ofNullable(before));
    }
}
