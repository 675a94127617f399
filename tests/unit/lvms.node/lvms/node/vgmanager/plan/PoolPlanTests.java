package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.api.ThinPoolConfig.WhenFull;
import lvms.api.disk.DeviceSelection;
import lvms.k8s.object.Quantity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.PoolSize;
import lvms.lvm2.ThinPools;
import lvms.node.deviceclass.PoolGoal;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A thin pool is made, woken and grown whenever it is not as the class wants it. */
class PoolPlanTests {
    private static final long CHUNK = 128 << 10;
    private static final long GIB = TestLvm.GIB;

    private static LogicalVolume volume(String attributes, long sizeBytes) {
        return TestLvm.lv("vg1", "pool", attributes, sizeBytes);
    }

    private static Optional<Decision> next(PoolGoal goal, LogicalVolume volume, KnownPv... pvs) {
        return next(goal, volume, CHUNK, 64 << 20, pvs);
    }

    private static Optional<Decision> next(
            PoolGoal goal,
            LogicalVolume volume,
            long chunkBytes,
            long metadataBytes,
            KnownPv... pvs) {
        var report = TestLvm.ours("vg1", TestLvm.pvsOf(List.of(pvs)), volume);
        var base = Situations.existing(Situations.THIN, DeviceSelection.EVERYTHING, List.of(pvs));
        var pool =
                volume.isThinPool()
                        ? Optional.of(TestLvm.pool(volume, chunkBytes, metadataBytes))
                        : Optional.<lvms.lvm2.ThinPool>empty();
        return new PoolPlan(Situations.with(base, report, pool), goal, report).next();
    }

    private static Step step(Optional<Decision> decision) {
        return assertInstanceOf(Decision.Act.class, decision.orElseThrow()).step();
    }

    private static Decision.Blocked blocked(Optional<Decision> decision) {
        return assertInstanceOf(Decision.Blocked.class, decision.orElseThrow());
    }

    private static KnownPv full(String device) {
        return TestLvm.on(device, "vg1", GIB);
    }

    @Test
    void asksForItsShareOfTheFreeSpace() {
        var base =
                Situations.existing(
                        Situations.THIN, DeviceSelection.EVERYTHING, List.of(full("/dev/sdb")));
        var plan = new PoolPlan(base, Situations.POOL, base.groups().getFirst());
        var request = assertInstanceOf(Step.CreatePool.class, step(plan.next())).request();
        assertEquals(new PoolSize.PercentOfFree(90), request.size());
        assertEquals(OptionalLong.of(CHUNK), request.chunkSizeBytes());
        assertEquals(OptionalLong.empty(), request.metadataSizeBytes());
        assertEquals("vg1/pool", request.name().toString());
    }

    @Test
    void isContentWithAHealthyPool() {
        assertEquals(
                Optional.empty(),
                next(Situations.POOL, volume("twi-a-tz--", 9 * GIB), full("/dev/sdb")));
    }

    @Test
    void refusesAnotherVolumeOfThatName() {
        var decision = next(Situations.POOL, volume("-wi-a-----", GIB), full("/dev/sdb"));
        assertEquals(EventReason.POOL_FAILED, blocked(decision).reason());
    }

    @Test
    void makesAnewWhatAKilledCreationLeft() {
        for (var attributes : List.of("-wi-a-----", "twi---tz--")) {
            var left = TestLvm.tagged(volume(attributes, GIB), Set.of(ThinPools.UNFINISHED));
            assertInstanceOf(
                    Step.CreatePool.class, step(next(Situations.POOL, left, full("/dev/sdb"))));
        }
    }

    @Test
    void wakesAPoolThatIsNotActive() {
        assertEquals(
                new Step.ActivatePool(),
                step(next(Situations.POOL, volume("twi---tz--", GIB), full("/dev/sdb"))));
    }

    @Test
    void resumesAPoolThatAKilledCommandLeftSuspended() {
        assertEquals(
                new Step.ResumePool(),
                step(next(Situations.POOL, volume("twi-s-tz--", GIB), full("/dev/sdb"))));
    }

    @Test
    void growsOntoADeviceThatNothingLiesOnYet() {
        var decision =
                next(
                        Situations.POOL,
                        volume("twi-a-tz--", 9 * GIB),
                        full("/dev/sdb"),
                        TestLvm.on("/dev/sdc", "vg1", 10 * GIB));
        assertEquals(new Step.ExtendPool(18 * GIB), step(decision));
    }

    @Test
    void keepsItsSizeWithoutANewDeviceHoweverSmallItIs() {
        assertEquals(
                Optional.empty(),
                next(Situations.POOL, volume("twi-a-tz--", 4 * GIB), full("/dev/sdb")));
    }

    @Test
    void growsWhenTheGroupSaysThatADiskHasGrownAndThenStrikesItOut() {
        var pvs = List.of(TestLvm.pv("/dev/sdb", "vg1", 20 * GIB, 11 * GIB));
        assertEquals(
                new Step.ExtendPool(18 * GIB),
                step(nextOfGrown(pvs, volume("twi-a-tz--", 9 * GIB))));
        assertEquals(
                new Step.ForgetGrowth(), step(nextOfGrown(pvs, volume("twi-a-tz--", 18 * GIB))));
    }

    private static Optional<Decision> nextOfGrown(List<PhysicalVolume> pvs, LogicalVolume volume) {
        var tags = Set.of(Names.VOLUME_GROUP_TAG, Names.GROWN_TAG);
        var report = TestLvm.group("vg1", tags, pvs, volume);
        var base = Situations.existing(Situations.THIN, DeviceSelection.EVERYTHING, List.of());
        var pool = Optional.of(TestLvm.pool(volume, CHUNK, 64 << 20));
        return new PoolPlan(Situations.with(base, report, pool), Situations.POOL, report).next();
    }

    @Test
    void growsNoFurtherThanTheFreeSpaceReaches() {
        var everything = Situations.pool(100, Optional.empty(), Optional.empty());
        var decision =
                next(
                        everything,
                        volume("twi-a-tz--", 9 * GIB),
                        TestLvm.on("/dev/sdb", "vg1", 0),
                        TestLvm.on("/dev/sdc", "vg1", 10 * GIB));
        assertEquals(new Step.ExtendPool(19 * GIB), step(decision));
    }

    @Test
    void isContentOnceItHasItsShareEvenIfADeviceStaysEmpty() {
        var half = Situations.pool(50, Optional.empty(), Optional.empty());
        assertEquals(
                Optional.empty(),
                next(
                        half,
                        volume("twi-a-tz--", 10 * GIB),
                        TestLvm.on("/dev/sdb", "vg1", 0),
                        TestLvm.on("/dev/sdc", "vg1", 10 * GIB)));
    }

    @Test
    void growsMetadataToAStaticSize() {
        var goal = Situations.pool(90, Optional.empty(), Optional.of(Quantity.ofBytes(128L << 20)));
        var decision =
                next(goal, volume("twi-a-tz--", 9 * GIB), CHUNK, 64L << 20, full("/dev/sdb"));
        assertEquals(new Step.GrowPoolMetadata(128L << 20), step(decision));
        assertEquals(
                Optional.empty(),
                next(goal, volume("twi-a-tz--", 9 * GIB), CHUNK, 128L << 20, full("/dev/sdb")));
    }

    @Test
    void complainsOfAnotherChunkSizeOnlyIfOneIsWanted() {
        var decision =
                next(
                        Situations.POOL,
                        volume("twi-a-tz--", 9 * GIB),
                        64 << 10,
                        64L << 20,
                        full("/dev/sdb"));
        assertEquals(EventReason.INCONSISTENT_LVS, blocked(decision).reason());
        var host = Situations.pool(90, Optional.empty(), Optional.empty());
        assertEquals(
                Optional.empty(),
                next(host, volume("twi-a-tz--", 9 * GIB), 64 << 10, 64L << 20, full("/dev/sdb")));
    }

    @Test
    void complainsOfMetadataThatIsNearlyFull() {
        var nearly = TestLvm.withMetadataPercent(volume("twi-a-tz--", 9 * GIB), 95.01);
        var decision = next(Situations.POOL, nearly, full("/dev/sdb"));
        assertTrue(blocked(decision).message().contains("95.01 percent"));
        var barely = TestLvm.withMetadataPercent(volume("twi-a-tz--", 9 * GIB), 95);
        assertEquals(Optional.empty(), next(Situations.POOL, barely, full("/dev/sdb")));
    }

    @Test
    void complainsOfAPoolThatNeedsARepair() {
        var decision = next(Situations.POOL, volume("twi-c-tz--", 9 * GIB), full("/dev/sdb"));
        assertTrue(
                blocked(decision).message().contains("thin pool check needed"),
                blocked(decision).message());
    }

    @Test
    void changesWhatBecomesOfWritesToAFullPoolOnlyIfAsked() {
        var healthy = volume("twi-a-tz--", GIB); // it queues
        assertEquals(Optional.empty(), next(Situations.POOL, healthy, full("/dev/sdb")));
        assertEquals(
                new Step.ChangeWhenFull(true),
                step(next(Situations.whenFull(WhenFull.ERROR), healthy, full("/dev/sdb"))));
        assertEquals(
                Optional.empty(),
                next(Situations.whenFull(WhenFull.QUEUE), healthy, full("/dev/sdb")));
    }

    @Test
    void whatFailsIsToldByItsReason() {
        var made = new Step.ExtendPool(GIB);
        assertEquals(EventReason.POOL_FAILED, made.failure());
        assertEquals(EventReason.INCONSISTENT_LVS, new Step.ActivatePool().failure());
        var base =
                Situations.existing(
                        Situations.THIN, DeviceSelection.EVERYTHING, List.of(full("/dev/sdb")));
        var plan = new PoolPlan(base, Situations.POOL, base.groups().getFirst());
        assertEquals(EventReason.POOL_FAILED, step(plan.next()).failure());
    }
}
