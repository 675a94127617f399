package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.node.pool.PoolState.Condition;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;
import java.util.OptionalLong;

/** A pool grows before it is full, and promises nothing where it cannot. */
@Safety(19)
class PoolGuardTests {
    private static final LvName POOL = new LvName("vg1", "pool");
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static PoolPolicy policy(int threshold, int step, OptionalLong limit) {
        return new PoolPolicy(threshold, step, limit, true, "growthStepPercent is 0: set it");
    }

    private static final PoolPolicy GROWING = policy(80, 20, OptionalLong.empty());

    private static PoolState state(double data, long dataRoom, double metadata, long metadataRoom) {
        return PoolState.thin(
                POOL,
                new PoolUse(10 * GIB, data, dataRoom),
                new PoolUse(8 * MIB, metadata, metadataRoom),
                Condition.WRITABLE,
                4 * MIB);
    }

    private static PoolState state(Condition condition, double metadata) {
        return PoolState.thin(
                POOL,
                new PoolUse(10 * GIB, 0.1, GIB),
                new PoolUse(8 * MIB, metadata, GIB),
                condition,
                4 * MIB);
    }

    @Test
    void isContentBelowItsThreshold() {
        assertEquals(
                new PoolGuard(Optional.empty(), Optional.empty(), 0),
                PoolGuard.of(state(0.79, GIB, 0.4, GIB), GROWING));
    }

    @Test
    void growsByItsStepFromTheThresholdOn() {
        var guard = PoolGuard.of(state(0.8, 5 * GIB, 0.1, GIB), GROWING);
        assertEquals(Optional.of(new PoolGrowth.Data(10 * GIB + 2 * GIB)), guard.growth());
        assertEquals(Optional.empty(), guard.refusal());
    }

    @Test
    void growsByWholeExtents() {
        for (double used = 0.8; used <= 1; used += 0.0137) {
            var guard = PoolGuard.of(state(used, 50 * GIB, 0.1, GIB), GROWING);
            assertEquals(0, guard.growth().orElseThrow().toBytes() % (4 * MIB));
        }
    }

    @Test
    void growsByMoreThanItsStepIfThatWouldNotBeEnough() {
        var guard =
                PoolGuard.of(state(1, 50 * GIB, 0.1, GIB), policy(50, 10, OptionalLong.empty()));
        assertTrue(guard.growth().orElseThrow().toBytes() > 20 * GIB, guard.toString());
    }

    @Test
    void growsNoFurtherThanTheRoom() {
        var guard = PoolGuard.of(state(0.9, 4 * MIB, 0.1, GIB), GROWING);
        assertEquals(Optional.of(new PoolGrowth.Data(10 * GIB + 4 * MIB)), guard.growth());
    }

    @Test
    void growsNoFurtherThanItsLimit() {
        var limit = OptionalLong.of(10 * GIB + 8 * MIB);
        var guard = PoolGuard.of(state(0.9, GIB, 0.1, GIB), policy(80, 20, limit));
        assertEquals(Optional.of(new PoolGrowth.Data(10 * GIB + 8 * MIB)), guard.growth());
        var reached = PoolGuard.of(state(0.9, GIB, 0.1, GIB), policy(80, 20, OptionalLong.of(GIB)));
        assertEquals(Optional.empty(), reached.growth());
        assertEquals(
                "thin pool vg1/pool gets no new volumes: data is 90 percent full or more and cannot"
                        + " grow: growthLimit is reached: raise it, or delete volumes or snapshots",
                reached.refusal().orElseThrow());
    }

    @Test
    void metadataGrowsFirstAndByDoubling() {
        var guard = PoolGuard.of(state(0.9, GIB, 0.5, GIB), GROWING);
        assertEquals(Optional.of(new PoolGrowth.Metadata(16 * MIB)), guard.growth());
    }

    @Test
    void metadataTakesWhatIsThere() {
        var guard = PoolGuard.of(state(0.1, 0, 0.7, 4 * MIB), GROWING);
        assertEquals(Optional.of(new PoolGrowth.Metadata(12 * MIB)), guard.growth());
    }

    @Test
    void metadataThatCannotGrowRefusesOnlyFromTheThresholdOn() {
        assertEquals(Optional.empty(), PoolGuard.of(state(0.1, 0, 0.74, 0), GROWING).refusal());
        assertTrue(
                PoolGuard.of(state(0.1, 0, 0.8, 0), GROWING)
                        .refusal()
                        .orElseThrow()
                        .contains("metadata is 80 percent full or more and cannot grow"));
    }

    @ParameterizedTest
    @CsvSource({"0.79, 0", "0.8, 80", "0.9, 90", "0.949, 90", "0.95, 95", "1, 95"})
    void tellsHowFullItIs(double data, int level) {
        assertEquals(level, PoolGuard.of(state(data, 0, 0.1, 0), GROWING).level());
    }

    @Test
    void aPoolThatMayNotGrowRefusesAtItsThreshold() {
        var off = policy(85, 0, OptionalLong.empty());
        assertEquals(Optional.empty(), PoolGuard.of(state(0.84, GIB, 0.1, GIB), off).refusal());
        assertEquals(
                "thin pool vg1/pool gets no new volumes: data is 85 percent full or more and cannot"
                        + " grow: growthStepPercent is 0: set it",
                PoolGuard.of(state(0.86, GIB, 0.1, GIB), off).refusal().orElseThrow());
    }

    @Test
    void aPoolOfOthersIsNeverGrownAndRefusesOnlyWhatLvmRefuses() {
        var nearlyFull = PoolGuard.of(state(0.99, GIB, 0.7, GIB), PoolPolicy.SERVED);
        assertEquals(Optional.empty(), nearlyFull.growth());
        assertEquals(Optional.empty(), nearlyFull.refusal());
        assertTrue(PoolGuard.of(state(1, GIB, 0.1, GIB), PoolPolicy.SERVED).refusal().isPresent());
        assertTrue(
                PoolGuard.of(state(0.1, GIB, 0.75, GIB), PoolPolicy.SERVED).refusal().isPresent());
    }

    /** LVM keeps 4 MiB of metadata free, or a quarter if that is less. */
    @ParameterizedTest
    @CsvSource({"8, 0.74, false", "8, 0.75, true", "64, 0.9, false", "64, 0.94, true"})
    void lvmRefusesBeforeMetadataIsFull(long mib, double used, boolean refused) {
        var state =
                PoolState.thin(
                        POOL,
                        new PoolUse(GIB, 0, 0),
                        new PoolUse(mib * MIB, used, 0),
                        Condition.WRITABLE,
                        4 * MIB);
        assertEquals(refused, state.refusalOfLvm().isPresent());
    }

    @ParameterizedTest
    @CsvSource({"CHECK_NEEDED", "FAILED", "READ_ONLY"})
    void anIllPoolPromisesNothing(Condition condition) {
        var guard = PoolGuard.of(state(condition, 0.1), GROWING);
        assertEquals(Optional.empty(), guard.growth());
        assertTrue(guard.refusal().isPresent());
    }

    @Test
    void metadataThatRanFullIsCuredByGrowth() {
        var guard = PoolGuard.of(state(Condition.READ_ONLY, 0.9), GROWING);
        assertEquals(Optional.of(new PoolGrowth.Metadata(16 * MIB)), guard.growth());
        assertEquals(
                Optional.empty(), PoolGuard.of(state(Condition.CHECK_NEEDED, 1), GROWING).growth());
    }
}
