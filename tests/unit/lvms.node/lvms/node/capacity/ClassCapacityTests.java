package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.AllocationSettings;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.deviceclass.NodeDeviceClass.Striping;
import lvms.node.disk.TestLvm;
import lvms.node.pool.PoolRefusals;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The reported capacity is what a volume can really get. */
class ClassCapacityTests {
    private static final long GIB = TestLvm.GIB;
    private static final Provisioning THICK = new Provisioning.Thick();

    private static NodeDeviceClass deviceClass(Provisioning provisioning, long spareBytes) {
        return deviceClass(provisioning, spareBytes, Optional.empty());
    }

    private static NodeDeviceClass deviceClass(
            Provisioning provisioning,
            long spareBytes,
            Optional<Striping> striping,
            String... options) {
        return new NodeDeviceClass(
                "a",
                "vg1",
                true,
                provisioning,
                spareBytes,
                striping,
                List.of(options),
                Optional.empty());
    }

    private static long capacity(NodeDeviceClass deviceClass, VolumeGroupReport... groups) {
        var classes = new DeviceClasses(List.of(deviceClass), Map.of());
        return ClassCapacity.standard().of(classes, List.of(groups)).get("a");
    }

    private static PhysicalVolume pv(String device, long freeBytes) {
        return TestLvm.pv(device, "vg1", 10 * GIB, freeBytes);
    }

    @Test
    void ofAThickClassIsTheFreeSpaceWithoutTheSpare() {
        var group = TestLvm.ours("vg1", List.of(pv("/dev/sdb", 3 * GIB), pv("/dev/sdc", GIB)));
        assertEquals(4 * GIB, capacity(deviceClass(THICK, 0), group));
        assertEquals(3 * GIB, capacity(deviceClass(THICK, GIB), group));
        assertEquals(0, capacity(deviceClass(THICK, 5 * GIB), group));
    }

    @ParameterizedTest(name = "{0}: {1} extents")
    @CsvSource({
        "--type raid1 -m 1, 255",
        "--type=raid1 -m1, 255",
        "--mirrors 1, 255",
        "--type mirror -m 1, 255",
        "--type raid0 -i 2, 512",
        "--type raid1 -m 1 --raidintegrity y, 250",
        "-C y, 768",
        "--alloc contiguous -i 2, 512",
        "--alloc anywhere --type raid1 -m 1, 511"
    })
    void ofAClassWithOptionsIsWhatTheirLayoutCanReach(String options, long extents) {
        var group = TestLvm.ours("vg1", List.of(pv("/dev/sdb", 3 * GIB), pv("/dev/sdc", GIB)));
        var deviceClass = deviceClass(THICK, 0, Optional.empty(), options.split(" "));
        assertEquals(extents * TestLvm.EXTENT, capacity(deviceClass, group));
    }

    @Test
    void ofAStripedClassIsWhatItsStripesCanReach() {
        var group = TestLvm.ours("vg1", List.of(pv("/dev/sdb", 3 * GIB), pv("/dev/sdc", GIB)));
        var striped = deviceClass(THICK, 0, Optional.of(new Striping(2, Optional.empty())));
        assertEquals(2 * GIB, capacity(striped, group));
    }

    @Test
    void ofALayoutThatIsNotKnownIsTheFreeSpace() {
        var group = TestLvm.ours("vg1", List.of(pv("/dev/sdb", 3 * GIB), pv("/dev/sdc", GIB)));
        var unknown = deviceClass(THICK, 0, Optional.empty(), "--type", "writecache");
        assertEquals(4 * GIB, capacity(unknown, group));
    }

    @Test
    void ofAThinClassIsWhatThePoolMayStillPromise() {
        var group =
                TestLvm.ours(
                        "vg1",
                        List.of(pv("/dev/sdb", GIB)),
                        TestLvm.lv("vg1", "pool", "twi-a-tz--", 9 * GIB),
                        TestLvm.thin("vg1", "v1", "pool", 5 * GIB),
                        TestLvm.thin("vg1", "other", "pool2", 50 * GIB),
                        TestLvm.lv("vg1", "thick", "-wi-a-----", GIB));
        assertEquals(13 * GIB, capacity(deviceClass(new Provisioning.Thin("pool", 2), 0), group));
        assertEquals(
                (long) (8.5 * GIB),
                capacity(deviceClass(new Provisioning.Thin("pool", 1.5), 0), group));
    }

    @Test
    void isNeverNegative() {
        var group =
                TestLvm.ours(
                        "vg1",
                        List.of(),
                        TestLvm.lv("vg1", "pool", "twi-a-tz--", GIB),
                        TestLvm.thin("vg1", "v1", "pool", 5 * GIB));
        assertEquals(0, capacity(deviceClass(new Provisioning.Thin("pool", 1), 0), group));
    }

    @Test
    void isNothingWithoutTheGroupOrThePool() {
        assertEquals(0, capacity(deviceClass(THICK, 0)));
        var group = TestLvm.ours("vg1", List.of(pv("/dev/sdb", GIB)));
        assertEquals(0, capacity(deviceClass(new Provisioning.Thin("pool", 1), 0), group));
    }

    @Test
    void isNothingWhileADeviceIsMissingSinceLvmMakesNoVolumesThen() {
        var group =
                TestLvm.group(
                        "vg1",
                        Set.of("lvms"),
                        List.of(pv("/dev/sdb", GIB), TestLvm.missingPv("vg1")));
        assertEquals(0, capacity(deviceClass(THICK, 0), group));
    }

    private static final NodeDeviceClass THIN = deviceClass(new Provisioning.Thin("pool", 2), 0);

    private static VolumeGroupReport withPool(String attributes, double data, double metadata) {
        var pool = TestLvm.poolVolume("pool", attributes, 4 * GIB, data, metadata);
        return TestLvm.ours("vg1", List.of(pv("/dev/sdb", GIB)), pool);
    }

    @Test
    @Safety({19, 20})
    void ofAPoolInWhichLvmMakesNothingIsNothing() {
        assertEquals(8 * GIB, capacity(THIN, withPool("twi-aotz--", 99, 60)));
        assertEquals(0, capacity(THIN, withPool("twi-aotz--", 100, 10)));
        assertEquals(0, capacity(THIN, withPool("twi-aotz--", 10, 75)));
        assertEquals(0, capacity(THIN, withPool("twi-cotz--", 10, 10)), "needs a check");
        assertEquals(0, capacity(THIN, withPool("twi-aotzM-", 10, 10)), "read-only metadata");
        assertEquals(0, capacity(THIN, withPool("twi-aotzF-", 10, 10)), "failed");
    }

    private static VolumeGroupReport changed(UnaryOperator<VolumeGroup> change) {
        var report = TestLvm.ours("vg1", List.of(pv("/dev/sdb", 3 * GIB)));
        return new VolumeGroupReport(
                change.apply(report.group()),
                report.physicalVolumes(),
                report.logicalVolumes(),
                report.segments(),
                report.physicalSegments());
    }

    @Test
    @Safety(20)
    void ofAGroupThatMayHaveNoMoreVolumesIsNothing() {
        var thick = deviceClass(THICK, 0);
        assertEquals(3 * GIB, capacity(thick, changed(g -> TestLvm.limited(g, 5, 6))));
        assertEquals(0, capacity(thick, changed(g -> TestLvm.limited(g, 6, 6))));
    }

    @Test
    @Safety(20)
    void ofAGroupWhoseMetadataAreaIsFullIsNothing() {
        var raid = deviceClass(THICK, 0, Optional.empty(), "--type", "raid1", "-m", "1");
        assertEquals(0, capacity(deviceClass(THICK, 0), changed(g -> TestLvm.metadata(g, 1024))));
        assertEquals(
                3 * GIB, capacity(deviceClass(THICK, 0), changed(g -> TestLvm.metadata(g, 4096))));
        assertEquals(0, capacity(raid, changed(g -> TestLvm.metadata(g, 4096))));
    }

    @Test
    @Safety(21)
    void whatLvmRefusedIsNotPromisedAgainAsLongAsTheGroupIsTheSame() {
        var capacity = ClassCapacity.standard();
        var thick = deviceClass(THICK, 0);
        var group = changed(g -> g);
        capacity.refused(thick, 2 * GIB, group.group());
        assertEquals(2 * GIB - TestLvm.EXTENT, capacity.of(thick, group));
        assertEquals(3 * GIB, capacity.of(thick, changed(g -> TestLvm.metadata(g, 8192))));
        assertEquals(3 * GIB, capacity.of(thick, group), "a change proves that all is new");
    }

    @Test
    @Safety(20)
    void followsTheSettingsOfTheHost() {
        var settings = AllocationSettings.of(Map.of("activation/raid_region_size", "64"));
        var coarse = new ClassCapacity(AllocationSettings.DEFAULTS, new PoolRefusals());
        var fine = new ClassCapacity(settings, new PoolRefusals());
        var raid = deviceClass(THICK, 0, Optional.empty(), "--type", "raid1", "-m", "1");
        var big = 1L << 42;
        var group =
                TestLvm.ours(
                        "vg1",
                        List.of(
                                TestLvm.pv("/dev/sdb", "vg1", big, big),
                                TestLvm.pv("/dev/sdc", "vg1", big, big)));
        assertTrue(fine.of(raid, group) <= coarse.of(raid, group));
        assertEquals(64 << 10, settings.raidRegionSizeBytes());
    }
}
