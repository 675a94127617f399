package lvms.node.pool;

import java.util.List;
import java.util.Optional;

/**
 * What has to be done about a pool: a pure decision from its state and its owner's policy.
 *
 * <p>A pool grows before it is full. Metadata comes first and long before it is needed, since a
 * pool whose metadata is full needs a repair. Where growth is not possible, nothing new is
 * promised.
 *
 * @param growth the growth that is due; after it, ask again
 * @param refusal why the pool gets no new volume, snapshot or growth, and what to do; empty if it
 *     does
 * @param level the highest of 80, 90 and 95 percent that data or metadata has reached, else 0
 */
public record PoolGuard(Optional<PoolGrowth> growth, Optional<String> refusal, int level) {
    /** A burst of writes must not fill the rest before the pool has grown. */
    static final double METADATA_PERCENT = 50;

    /** The kernel cannot use more (15.81 GiB, thin-provisioning's own limit). */
    private static final long MOST_METADATA_BYTES = 33_161_216L * 512;

    private static final List<Integer> LEVELS = List.of(95, 90, 80);

    /** Decides. */
    public static PoolGuard of(PoolState found, PoolPolicy policy) {
        var state = found.upTo(policy.growthLimitBytes());
        var growth = metadata(state, policy).or(() -> data(state, policy));
        var refusal = refusal(state, policy, growth).map(why -> sentence(state, why));
        return new PoolGuard(growth, refusal, level(state));
    }

    private static Optional<PoolGrowth> metadata(PoolState state, PoolPolicy policy) {
        var metadata = state.metadata();
        long target =
                Math.min(
                        MOST_METADATA_BYTES,
                        metadata.sizeBytes()
                                + Math.min(metadata.roomBytes(), metadata.sizeBytes()));
        boolean due = curable(state) && metadata.reaches(METADATA_PERCENT);
        return policy.metadataGrows() && due && target > metadata.sizeBytes()
                ? Optional.of(new PoolGrowth.Metadata(target))
                : Optional.empty();
    }

    /** A pool that is read-only because its metadata is full works again once that has grown. */
    private static boolean curable(PoolState state) {
        return switch (state.condition()) {
            case WRITABLE, OUT_OF_DATA, READ_ONLY -> true;
            case CHECK_NEEDED, FAILED -> false;
        };
    }

    private static Optional<PoolGrowth> data(PoolState state, PoolPolicy policy) {
        var data = state.data();
        boolean due = state.illness().isEmpty() && data.reaches(policy.thresholdPercent());
        if (policy.growthStepPercent() == 0 || !due || data.roomBytes() == 0) {
            return Optional.empty();
        }
        long step = Math.max(1, data.sizeBytes() / 100 * policy.growthStepPercent());
        long below = (long) (data.used() * data.sizeBytes() * 100 / policy.thresholdPercent());
        long least = Math.max(step, below - data.sizeBytes() + step / 4);
        long wanted = Math.ceilDiv(least, state.extentBytes()) * state.extentBytes();
        return Optional.of(
                new PoolGrowth.Data(data.sizeBytes() + Math.min(wanted, data.roomBytes())));
    }

    private static Optional<String> refusal(
            PoolState state, PoolPolicy policy, Optional<PoolGrowth> growth) {
        if (state.illness().isPresent()) {
            return growth.isPresent() ? Optional.empty() : state.illness();
        }
        boolean metadataGrows = growth.filter(PoolGrowth.Metadata.class::isInstance).isPresent();
        if (state.metadata().reaches(policy.thresholdPercent()) && !metadataGrows) {
            return Optional.of("metadata is " + reached(state.metadata(), policy) + noRoom());
        }
        if (state.data().reaches(policy.thresholdPercent()) && growth.isEmpty()) {
            return Optional.of("data is " + reached(state.data(), policy) + whyNot(state, policy));
        }
        return growth.isPresent() ? Optional.empty() : state.refusalOfLvm();
    }

    private static String reached(PoolUse use, PoolPolicy policy) {
        int level = Math.max(policy.thresholdPercent(), level(use));
        return (use.reaches(100) ? "full" : level + " percent full or more") + " and cannot grow: ";
    }

    private static String whyNot(PoolState state, PoolPolicy policy) {
        if (policy.growthStepPercent() == 0) {
            return policy.stays();
        }
        long limit = policy.growthLimitBytes().orElse(Long.MAX_VALUE);
        return state.data().sizeBytes() + state.extentBytes() > limit
                ? "growthLimit is reached: raise it, or delete volumes or snapshots"
                : noRoom();
    }

    private static String noRoom() {
        return "the volume group has no room left: add a disk to the class, or delete volumes or"
                + " snapshots";
    }

    private static String sentence(PoolState state, String why) {
        return "thin pool " + state.name() + " gets no new volumes: " + why;
    }

    private static int level(PoolState state) {
        return Math.max(level(state.data()), level(state.metadata()));
    }

    private static int level(PoolUse use) {
        return LEVELS.stream().filter(use::reaches).findFirst().orElse(0);
    }
}
