package lvms.lvm2.plan;

import static lvms.lvm2.plan.Layouts.pv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.plan.Capacity.Limit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** The planner names the largest size that LVM's allocator takes, and why it takes no larger. */
class CapacityPlannerTests {
    private static final long MIB = 1L << 20;
    private static final long EXTENT = 4 * MIB;
    private final CapacityPlanner planner = new CapacityPlanner(AllocationSettings.DEFAULTS);

    private static PvExtents tagged(PvExtents pv, String... tags) {
        return new PvExtents(pv.uuid(), pv.device(), pv.allocatable(), Set.of(tags), pv.free());
    }

    private static PvExtents closed(PvExtents pv) {
        return new PvExtents(pv.uuid(), pv.device(), false, pv.tags(), pv.free());
    }

    private static ExtentLayout layout(PvExtents... pvs) {
        return new ExtentLayout(EXTENT, AllocationPolicy.NORMAL, true, List.of(pvs));
    }

    private Capacity largest(ExtentLayout layout, VolumeShape shape) {
        return planner.largest(layout, shape);
    }

    @Test
    void aLinearVolumeTakesEveryFreeExtent() {
        var capacity =
                largest(layout(pv("sdb", 3, 5), closed(pv("sdc", 9)), pv("sdd", 4)), linear());
        assertEquals(
                new Capacity(12, 12 * EXTENT, Limit.EXTENTS_USED_UP, List.of("sdb", "sdd"), 0),
                capacity);
    }

    private static VolumeShape linear() {
        return VolumeShape.linear();
    }

    @Test
    void ofRaidEachImageHasAMetadataExtent() {
        var capacity = largest(layout(pv("sdb", 10), pv("sdc", 7)), VolumeShape.raid1(2));
        assertEquals(6, capacity.extents());
        assertEquals(Limit.DEVICES_FULL, capacity.limit());
        assertEquals(List.of("sdc"), capacity.limiting());
        assertEquals(3, capacity.leftExtents());
    }

    @Test
    void stripesAreOfOneLength() {
        var three = layout(pv("sdb", 10), pv("sdc", 7), pv("sdd", 9));
        assertEquals(21, largest(three, VolumeShape.striped(3)).extents());
        assertEquals(12, largest(three, VolumeShape.raid5(2)).extents());
        assertEquals(Limit.TOO_FEW_DEVICES, largest(three, VolumeShape.raid6(3)).limit());
    }

    @Test
    void lvmStartsOnTheLargestRunsAndDoesNotGoBack() {
        var three = layout(pv("sdb", 10), pv("sdc", 10), pv("sdd", 10));
        var capacity = largest(three, VolumeShape.striped(2));
        assertEquals(20, capacity.extents(), "not 30, which the extents would allow");
        assertEquals(Limit.CHOICE_OF_LVM, capacity.limit());
        assertEquals(List.of("sdb", "sdc"), capacity.limiting());
        assertEquals(10, capacity.leftExtents());
    }

    @Test
    void imagesDoNotShareADeviceAsOldVersionsOfLvmLetThem() {
        var layout = layout(pv("sdb", 6), pv("sdc", 7), pv("sdd", 12));
        assertEquals(6, largest(layout, VolumeShape.raid1(2)).extents());
        var old = AllocationSettings.DEFAULTS.withImagesApart(false);
        var capacity = new CapacityPlanner(old).largest(layout, VolumeShape.raid1(2));
        assertEquals(11, capacity.extents());
    }

    @Test
    void aContiguousVolumeIsOneRun() {
        var layout =
                layout(pv("sdb", 3, 6, 5), pv("sdc", 7))
                        .withAllocation(AllocationPolicy.CONTIGUOUS);
        var capacity = largest(layout, linear());
        assertEquals(7, capacity.extents());
        assertEquals(Limit.FRAGMENTED, capacity.limit());
        assertEquals(12, largest(layout, VolumeShape.striped(2)).extents());
    }

    @Test
    void devicesMayBeChosenByNameAndTag() {
        var layout = layout(tagged(pv("sdb", 3), "fast"), pv("sdc", 7), pv("sdd", 8));
        assertEquals(3, largest(layout.onTagged("fast"), linear()).extents());
        assertEquals(15, largest(layout.onDevices(Set.of("sdc", "sdd")), linear()).extents());
    }

    @Test
    void tagsKeepTheFirstRunsOfImagesApart() {
        var layout =
                layout(
                                tagged(pv("sdb", 20), "left"),
                                tagged(pv("sdc", 15), "left"),
                                tagged(pv("sdd", 5), "right"))
                        .withAllocation(AllocationPolicy.CONTIGUOUS);
        var settings = new AllocationSettings(2 * MIB, true, Set.of("left", "right"), false, true);
        var apart = new CapacityPlanner(settings).largest(layout, VolumeShape.raid1(2));
        assertEquals(4, apart.extents(), apart.toString());
        assertEquals(14, largest(layout, VolumeShape.raid1(2)).extents());
    }

    @Test
    void aGroupThatCannotChangeHasNoRoom() {
        var layout =
                new ExtentLayout(EXTENT, AllocationPolicy.NORMAL, false, List.of(pv("sdb", 9)));
        assertEquals(Limit.GROUP_CANNOT_CHANGE, largest(layout, linear()).limit());
        assertFalse(planner.fits(layout, linear(), 1));
    }

    @Test
    void sizesAreRoundedUpToWholeStripes() {
        var layout = layout(pv("sdb", 4), pv("sdc", 4));
        assertTrue(planner.fits(layout, VolumeShape.striped(2), 7 * EXTENT));
        assertFalse(planner.fits(layout, VolumeShape.striped(2), 8 * EXTENT + 1));
    }

    @Test
    void ofSmallExtentsRaidMetadataIsSeveral() {
        var layout =
                new ExtentLayout(
                        4096,
                        AllocationPolicy.NORMAL,
                        true,
                        List.of(pv("sdb", 100), pv("sdc", 100)));
        assertEquals(97, largest(layout, VolumeShape.raid1(2)).extents());
    }

    @Test
    void hugeGroupsAreAnsweredAtOnce() {
        long terabyte = (1L << 40) / EXTENT;
        var layout =
                layout(
                        pv("sdb", 100 * terabyte),
                        pv("sdc", 100 * terabyte + 1),
                        pv("sdd", 100 * terabyte));
        assertEquals(100 * terabyte, largest(layout, VolumeShape.raid1(2)).extents());
        assertEquals(300 * terabyte + 1, largest(layout, linear()).extents());
    }

    /** The search skips sizes; here it is compared with trying each of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void theSearchFindsWhatTryingEverySizeFinds(int seed) {
        var random = new Random(seed);
        for (int i = 0; i < 250; i++) {
            var layout = Layouts.random(random, 5, EXTENT, EXTENT, MIB, 8192, 4096);
            for (var shape : shapes()) {
                long found = largest(layout, shape).extents();
                assertEquals(bySteps(layout, shape), found, () -> shape + " in " + layout);
            }
        }
    }

    private long bySteps(ExtentLayout layout, VolumeShape shape) {
        long size = Bounds.total(layout.usable());
        for (size -= size % shape.stripes(); size > 0; size -= shape.stripes()) {
            if (planner.fits(layout, shape, size * layout.extentSizeBytes())) {
                return size;
            }
        }
        return 0;
    }

    private static List<VolumeShape> shapes() {
        return List.of(
                linear(),
                VolumeShape.striped(2),
                VolumeShape.striped(3),
                VolumeShape.raid1(2),
                VolumeShape.raid1(3),
                VolumeShape.raid5(2),
                VolumeShape.raid6(3),
                VolumeShape.raid10(2, 2));
    }
}
