package lvms.lvm2.plan;

import static lvms.lvm2.plan.Layouts.pv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.AllocationPolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** The data of a thin pool shares the extents with its metadata and with the spare. */
class NewPoolTests {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static NewPool pool(
            PoolShape shape, long extentBytes, AllocationPolicy policy, PvExtents... pvs) {
        return pool(shape, new ExtentLayout(extentBytes, policy, true, List.of(pvs)));
    }

    private static NewPool pool(PoolShape shape, ExtentLayout layout) {
        var settings = AllocationSettings.DEFAULTS;
        return new NewPool(shape, layout, new Spare(Optional.empty(), layout, settings), settings);
    }

    private static PoolShape shape(long chunkBytes, long metadataBytes) {
        return new PoolShape(given(chunkBytes), given(metadataBytes));
    }

    private static OptionalLong given(long bytes) {
        return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    @ParameterizedTest(name = "{0} GiB with chunks of {1} KiB")
    @CsvSource({
        "1, 0, 64, 2",
        "3, 0, 64, 3",
        "100, 0, 64, 100",
        "129, 0, 128, 65",
        "1024, 0, 512, 128",
        "1024, 64, 64, 1024",
        "40960, 128, 128, 16257"
    })
    void withoutASizeTheMetadataHas64BytesForEachChunk(
            long dataGib, long chunkKib, long expectedChunkKib, long expectedMib) {
        var shape = shape(chunkKib * KIB, 0);
        assertEquals(expectedChunkKib * KIB, shape.chunkSizeBytes(dataGib * GIB));
        assertEquals(expectedMib, shape.metadataExtents(dataGib * GIB / MIB, MIB));
    }

    @Test
    void aMetadataSizeIsRoundedUpAndDecidesTheChunks() {
        assertEquals(2, shape(0, 5 * MIB).metadataExtents(10, 4 * MIB));
        assertEquals(32, shape(0, 1).metadataExtents(10, 64 * KIB));
        assertEquals(640 * KIB, shape(0, 100 * MIB).chunkSizeBytes(1000 * GIB));
    }

    @Test
    void metadataAndSpareComeOutOfTheSameExtents() {
        var normal = AllocationPolicy.NORMAL;
        assertEquals(8, pool(PoolShape.DEFAULT, 4 * MIB, normal, pv("sdb", 10)).largest());
        assertEquals(6, pool(shape(0, 8 * MIB), 4 * MIB, normal, pv("sdb", 10)).largest());
        assertEquals(0, pool(shape(0, 8 * MIB), 4 * MIB, normal, pv("sdb", 4)).largest());
    }

    @Test
    void aPoolHasAtLeastAChunk() {
        var few = pv("sdb", 5);
        var shape = shape(16 * MIB, 2 * MIB);
        assertEquals(0, pool(shape, 4 * MIB, AllocationPolicy.NORMAL, few).largest());
        assertEquals(3, pool(shape(8 * MIB, 0), 4 * MIB, AllocationPolicy.NORMAL, few).largest());
    }

    @Test
    void whatTheMetadataCannotAddressIsNotCounted() {
        var disk = pv("sdb", 40L << 18); // 40 TiB
        long extents = pool(shape(64 * KIB, 0), 4 * MIB, AllocationPolicy.NORMAL, disk).largest();
        assertEquals(255L * (16384 - 64) * 4096 / 64 * 64 * KIB / (4 * MIB), extents);
    }

    /** The search skips sizes; here it is compared with trying each of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theSearchFindsWhatTryingEverySizeFinds(int seed) {
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            var pool = random(random);
            assertEquals(bySteps(pool), pool.largest(), pool::toString);
        }
    }

    private static long bySteps(NewPool pool) {
        long size = Bounds.total(pool.layout().usable());
        while (size > 0 && !pool.allocate(size).complete()) {
            size--;
        }
        return size;
    }

    private static NewPool random(Random random) {
        var layout = Layouts.random(random, 4, 4 * MIB, MIB);
        return pool(shape(0, random.nextInt(4) * layout.extentSizeBytes()), layout);
    }
}
