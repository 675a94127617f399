package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.deviceclass.NodeDeviceClass.Striping;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        return ClassCapacity.of(classes, List.of(groups)).get("a");
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
        var mirror = deviceClass(THICK, 0, Optional.empty(), "--type", "mirror", "-m", "1");
        assertEquals(4 * GIB, capacity(mirror, group));
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
}
