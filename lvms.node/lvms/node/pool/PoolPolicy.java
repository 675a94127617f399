package lvms.node.pool;

import lvms.api.ThinPoolConfig;
import lvms.k8s.object.Quantity;

import java.util.OptionalLong;

/**
 * What the owner of a pool wants.
 *
 * @param thresholdPercent from this use on, a pool that cannot grow gets no new volumes
 * @param growthStepPercent by how many percent of its size the data grows; 0 never
 * @param growthLimitBytes size beyond which the data does not grow; empty is no limit
 * @param metadataGrows whether the metadata may grow
 * @param stays why the data does not grow if the step is 0, and what to do
 */
public record PoolPolicy(
        int thresholdPercent,
        int growthStepPercent,
        OptionalLong growthLimitBytes,
        boolean metadataGrows,
        String stays) {
    /** A pool that somebody else made and lets us use: only what LVM refuses is refused. */
    public static final PoolPolicy SERVED =
            new PoolPolicy(
                    100,
                    0,
                    OptionalLong.empty(),
                    false,
                    "this pool is not ours to grow: extend it");

    /** Returns the same on a machine whose LVM makes no volume from this use on. */
    PoolPolicy within(int thresholdOfLvm) {
        return new PoolPolicy(
                Math.min(thresholdPercent, thresholdOfLvm),
                growthStepPercent,
                growthLimitBytes,
                metadataGrows,
                stays);
    }

    /**
     * The policy of a class.
     *
     * @param made whether the node agent made the pool; it grows others only if it is asked to
     * @param hostExtends whether dmeventd of the host extends thin pools
     */
    public static PoolPolicy of(ThinPoolConfig config, boolean made, boolean hostExtends) {
        int step =
                config.growthStepPercent()
                        .orElse(made ? ThinPoolConfig.DEFAULT_GROWTH_STEP_PERCENT : 0);
        var limit = config.growthLimit().map(Quantity::bytes);
        return new PoolPolicy(
                config.thresholdPercent(),
                hostExtends ? 0 : step,
                limit.isPresent() ? OptionalLong.of(limit.get()) : OptionalLong.empty(),
                !hostExtends,
                hostExtends
                        ? "dmeventd of the host extends it: add a disk to the volume group"
                        : "growthStepPercent is "
                                + (config.growthStepPercent().isPresent() ? "0" : "not set")
                                + ": set it, or extend the pool");
    }
}
