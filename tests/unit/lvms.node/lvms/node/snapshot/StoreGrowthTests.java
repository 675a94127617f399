package lvms.node.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.snapshot.StoreSize;
import lvms.lvm2.device.SnapshotUsage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.OptionalLong;

/** A store grows before it is full, in larger steps the faster it fills, up to all it can need. */
class StoreGrowthTests {
    private static final long MIB = 1L << 20;
    private static final long VOLUME = 10_000 * MIB;

    private static SnapshotUsage usage(long usedMib, long totalMib) {
        return new SnapshotUsage(usedMib * MIB, totalMib * MIB, false);
    }

    private static OptionalLong grown(long usedMib, long totalMib, long rateMib) {
        return StoreGrowth.of(usage(usedMib, totalMib), VOLUME, rateMib * MIB);
    }

    @ParameterizedTest(name = "{0} of {1} MiB: {2}")
    @CsvSource({
        "699, 1000, 0",
        "700, 1000, 1200",
        "830, 1000, 1200",
        "850, 1000, 1440", // one step is not enough
        "1000, 1000, 1440"
    })
    void at70PercentItGrowsByAFifthUntilItIsBelow(long used, long total, long grown) {
        var expected = grown == 0 ? OptionalLong.empty() : OptionalLong.of(grown * MIB);
        assertEquals(expected, grown(used, total, 0));
    }

    /** Growing takes its time, in which it must not overflow. */
    @Test
    void oneThatFillsFastGrowsEarlyAndFar() {
        assertTrue(grown(100, 1000, 100).isEmpty(), "nine seconds are left");
        assertEquals(OptionalLong.of((700 - 1 + 200 * 8) * MIB), grown(699, 1000, 200));
        assertTrue(grown(0, 1000, 300).orElse(0) >= 2400 * MIB);
    }

    @Test
    void noFurtherThanTheWholeVolumeNeeds() {
        long most = StoreSize.mostBytes(VOLUME);
        assertEquals(OptionalLong.of(most), grown(9000, 10_000, 0));
        assertEquals(OptionalLong.of(most), grown(1000, 2000, 5000));
        var whole = new SnapshotUsage(VOLUME, most, false);
        assertTrue(StoreGrowth.of(whole, VOLUME, 100 * MIB).isEmpty());
    }

    @Test
    void oneThatIsLostDoesNotGrow() {
        assertTrue(StoreGrowth.of(new SnapshotUsage(0, 0, true), VOLUME, 0).isEmpty());
    }

    private static StoreFill after(StoreFill fill, long usedMib, long totalMib, Duration time) {
        return fill.next(usage(usedMib, totalMib), fill.at() + time.toNanos());
    }

    @Test
    void theRateIsThatOfLately() {
        var first = StoreFill.first(usage(0, 1000), 5);
        assertEquals(0, first.rateBytes());
        var second = after(first, 50, 1000, Duration.ofMillis(500));
        assertEquals(100.0 * MIB, second.rateBytes());
        var third = after(second, 50, 1000, Duration.ofMillis(500));
        assertTrue(third.rateBytes() > 50.0 * MIB, "a pause is no end");
        var later = third;
        for (int i = 0; i < 20; i++) {
            later = after(later, 50, 1000, Duration.ofMillis(500));
        }
        assertTrue(later.rateBytes() < MIB);
    }

    @Test
    void theNextLookIsLongBeforeItCouldBeFull() {
        var first = StoreFill.first(usage(0, 128), 0);
        assertTrue(first.pause().toMillis() <= 64, first.pause().toString());
        var quiet = after(first, 0, 128, Duration.ofSeconds(1));
        assertTrue(quiet.pause().compareTo(first.pause()) > 0);
        assertTrue(quiet.pause().toMillis() <= 128, quiet.pause().toString());
        var fast = after(first, 64, 128, Duration.ofMillis(100)); // 640 MiB/s
        assertTrue(fast.pause().toMillis() <= 50, fast.pause().toString());
        assertEquals(Duration.ofSeconds(2), StoreFill.first(usage(0, 100_000), 0).pause());
    }
}
