package lvms.node.rawdevice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.device.DeviceIdentity.Mark;
import lvms.node.discovery.ListedDevice;
import lvms.node.disk.TestDevice;
import lvms.node.rawdevice.RawDevicePlan.Change;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A RawDevice stays with its disk, whatever the disk is called, and never becomes another one. */
class RawDevicePlanTests {
    private static final String NODE = "node1";

    /** The objects in the cluster, by name. */
    private final Map<String, KubeObject> cluster = new LinkedHashMap<>();

    /** Does what the plan says, as the API server would. */
    private List<Change> pass(TestDevice... devices) {
        var listed =
                Stream.of(devices)
                        .map(device -> new ListedDevice(device.device(), List.of()))
                        .toList();
        var objects = cluster.values().stream().map(RawDevice::of).toList();
        var changes = new RawDevicePlan(NODE, objects, listed).changes();
        for (var change : changes) {
            switch (change) {
                case Change.Create(var object) ->
                        assertEquals(
                                null,
                                cluster.put(
                                        object.name(),
                                        object.with("uid-" + object.name(), "metadata", "uid")));
                case Change.Update(var patch) ->
                        cluster.computeIfPresent(
                                patch.key().name(), (_, old) -> merged(old, patch.json()));
                case Change.Delete(var object) -> cluster.remove(object.name());
            }
        }
        return changes;
    }

    private static KubeObject merged(KubeObject old, ObjectTree patch) {
        var now = old;
        var spec = patch.object("spec");
        if (spec.isPresent()) {
            for (var field : spec.get().members().entrySet()) {
                now =
                        field.getValue().isNull()
                                ? now.without("spec", field.getKey())
                                : now.with(field.getValue(), "spec", field.getKey());
            }
        }
        var marks = patch.object("metadata", "annotations").orElse(ObjectTree.EMPTY);
        for (var mark : marks.members().entrySet()) {
            now =
                    mark.getValue().isNull()
                            ? now.without("metadata", "annotations", mark.getKey())
                            : now.with(mark.getValue(), "metadata", "annotations", mark.getKey());
        }
        return now;
    }

    private RawDevice at(String path) {
        var found = new ArrayList<RawDevice>();
        for (var object : cluster.values()) {
            var device = RawDevice.of(object);
            if (device.spec().realPath().equals(path) && !device.spec().reason().contains("gone")) {
                found.add(device);
            }
        }
        assertEquals(1, found.size(), path);
        return found.getFirst();
    }

    private void allocate(String path) {
        var name = at(path).name();
        cluster.computeIfPresent(name, (_, object) -> object.with(name, "status", "name"));
    }

    private static TestDevice disk(String name, String wwn) {
        return TestDevice.disk(name).identified(wwn);
    }

    @Test
    void aDiskGetsTheNameThatNativestorWouldGiveIt() {
        pass(disk("sdb", "naa.1"));
        assertEquals(RawDevice.nameOf(NODE, "/dev/sdb"), at("/dev/sdb").name());
        assertTrue(at("/dev/sdb").free());
        assertEquals(Map.of("WWN", "naa.1"), at("/dev/sdb").identity());
    }

    @Test
    void whatIsRightIsNotWrittenAgain() {
        pass(disk("sdb", "naa.1"), TestDevice.disk("sdc"));
        assertEquals(List.of(), pass(disk("sdb", "naa.1"), TestDevice.disk("sdc")));
    }

    @Test
    void disksThatExchangeTheirNamesKeepTheirObjects() {
        pass(disk("sdb", "naa.1"), disk("sdc", "naa.2"));
        var first = at("/dev/sdb").name();
        allocate("/dev/sdb");
        pass(disk("sdb", "naa.2"), disk("sdc", "naa.1"));
        assertEquals(first, at("/dev/sdc").name());
        assertTrue(at("/dev/sdc").allocated());
        assertFalse(at("/dev/sdb").allocated());
        assertEquals(2, cluster.size());
    }

    @Test
    void anotherDiskUnderTheNameOfAnAllocatedOneIsAnother() {
        pass(disk("sdb", "naa.1"));
        var lost = at("/dev/sdb").name();
        allocate("/dev/sdb");
        pass(disk("sdb", "naa.2"));
        assertEquals("the device is gone", RawDevice.of(cluster.get(lost)).spec().reason());
        assertNotEquals(lost, at("/dev/sdb").name());
        assertTrue(at("/dev/sdb").free());
        pass(disk("sdb", "naa.2"), disk("sdc", "naa.1"));
        assertEquals(lost, at("/dev/sdc").name());
        assertEquals("a volume has the device, or had it", at("/dev/sdc").spec().reason());
    }

    /** Nothing of it is erased before its volume has it, nor afterwards. */
    @Test
    void whatWasMadeAgainIsUsedWhenItsVolumeHasIt() {
        pass(disk("sdb", "naa.1"));
        var name = at("/dev/sdb").name();
        cluster.computeIfPresent(
                name,
                (_, o) -> o.with(RawDevice.RESTORED, "metadata", "annotations", RawDevice.CONTENT));
        pass(disk("sdb", "naa.1"));
        assertFalse(at("/dev/sdb").free());
        assertFalse(at("/dev/sdb").toBeErased());
        allocate("/dev/sdb");
        pass(disk("sdb", "naa.1"));
        assertFalse(at("/dev/sdb").restored());
        cluster.computeIfPresent(name, (_, o) -> o.with("", "status", "name"));
        assertTrue(at("/dev/sdb").toBeErased());
    }

    @Test
    void aFreeDiskThatIsGoneIsForgotten() {
        pass(disk("sdb", "naa.1"));
        pass();
        assertEquals(Map.of(), cluster);
    }

    @Test
    void theNextDiskMayHaveTheNameOfOneThatIsForgotten() {
        pass(disk("sdb", "naa.1"));
        pass(disk("sdb", "naa.2"));
        assertEquals(Map.of("WWN", "naa.2"), at("/dev/sdb").identity());
        assertEquals(1, cluster.size());
    }

    @Test
    void aDiskThatSomebodyWaitsForIsNotForgotten() {
        pass(disk("sdb", "naa.1"));
        var name = at("/dev/sdb").name();
        cluster.computeIfPresent(
                name, (_, o) -> o.with("pvc-1", "metadata", "annotations", RawDevice.VOLUME));
        pass();
        assertFalse(RawDevice.of(cluster.get(name)).spec().available());
    }

    @Test
    void anObjectOfNativestorLearnsWhichDiskItIs() {
        pass(TestDevice.disk("sdb"));
        allocate("/dev/sdb");
        var name = at("/dev/sdb").name();
        pass(disk("sdb", "naa.1"));
        assertEquals(Map.of("WWN", "naa.1"), at("/dev/sdb").identity());
        pass(disk("sdq", "naa.1"));
        assertEquals(name, at("/dev/sdq").name());
    }

    @Test
    void anObjectOfNativestorIsNotADiskOfAnotherSize() {
        pass(TestDevice.disk("sdb"));
        allocate("/dev/sdb");
        var name = at("/dev/sdb").name();
        pass(TestDevice.disk("sdb").sized(3 * TestDevice.GIB));
        assertEquals("the device is gone", RawDevice.of(cluster.get(name)).spec().reason());
    }

    @Test
    void aDiskWithoutAMarkOfItsOwnIsNotHandedOut() {
        pass(TestDevice.disk("sdb"));
        assertFalse(at("/dev/sdb").free());
        assertTrue(at("/dev/sdb").spec().reason().contains("no serial number"));
    }

    @Test
    void aDiskWithoutAMarkIsKnownByItsPlace() {
        pass(
                TestDevice.disk("vdb").pluggedInto("pci-5"),
                TestDevice.disk("vdc").pluggedInto("pci-6"));
        assertTrue(at("/dev/vdb").free());
        assertEquals(Map.of("BY_PATH", "pci-5"), at("/dev/vdb").identity());
        allocate("/dev/vdb");
        var volume = at("/dev/vdb").name();
        pass(
                TestDevice.disk("vdc").pluggedInto("pci-5"),
                TestDevice.disk("vdb").pluggedInto("pci-6"));
        assertEquals(volume, at("/dev/vdc").name());
    }

    @Test
    void anotherDiskInThePlaceOfOneIsAnotherIfItIsLargerOrSaysWhoItIs() {
        var place = TestDevice.disk("vdb").pluggedInto("pci-5");
        pass(place);
        allocate("/dev/vdb");
        var volume = at("/dev/vdb").name();
        pass(place.sized(20 * TestDevice.GIB));
        assertNotEquals(volume, at("/dev/vdb").name());
        pass(disk("vdb", "naa.1"));
        assertNotEquals(volume, at("/dev/vdb").name());
        pass(place);
        assertEquals(volume, at("/dev/vdb").name());
    }

    /** An MBR gives it the same UUID, and the disk's name the same ending. */
    @Safety(51)
    @Test
    void aPartitionThatWasMadeAgainWithAnotherSizeIsAnother() {
        var marks = Map.of(Mark.PARTITION_UUID, "4af1-01", Mark.WWN, "naa.1-part1");
        var partition = TestDevice.of("sdb1", "part").identified(marks);
        pass(partition);
        allocate("/dev/sdb1");
        var volume = at("/dev/sdb1").name();
        pass(partition.sized(20 * TestDevice.GIB));
        assertNotEquals(volume, at("/dev/sdb1").name());
        pass(partition);
        assertEquals(volume, at("/dev/sdb1").name());
    }

    @Test
    void aDiskThatHasGrownIsThatDisk() {
        pass(disk("sdb", "naa.1"));
        allocate("/dev/sdb");
        var volume = at("/dev/sdb").name();
        pass(disk("sdb", "naa.1").sized(20 * TestDevice.GIB));
        assertEquals(volume, at("/dev/sdb").name());
    }

    @Test
    void twoDisksWithOneSerialNumberAreNotHandedOut() {
        pass(disk("sdb", "naa.1"), disk("sdc", "naa.1"));
        assertFalse(at("/dev/sdb").free());
        assertFalse(at("/dev/sdc").free());
        assertEquals(Map.of(), at("/dev/sdb").identity());
    }

    @Test
    void aMarkThatComesLaterIsAdded() {
        pass(TestDevice.disk("sdb").identified(Map.of(Mark.WWN, "naa.1")));
        pass(TestDevice.disk("sdb").identified(Map.of(Mark.WWN, "naa.1", Mark.SERIAL, "MODEL S1")));
        pass(TestDevice.disk("sdb").identified(Map.of(Mark.SERIAL, "MODEL S1")));
        assertEquals(Map.of("WWN", "naa.1", "SERIAL", "MODEL S1"), at("/dev/sdb").identity());
    }

    @Test
    void theLabelOfLvmIsNoMark() {
        pass(TestDevice.disk("sdb").identified(Map.of(Mark.PV_UUID, "pv-1")));
        assertEquals(Map.of(), at("/dev/sdb").identity());
    }

    private void mark(String path, String annotation, String value) {
        var name = at(path).name();
        cluster.computeIfPresent(
                name, (_, object) -> object.with(value, "metadata", "annotations", annotation));
    }

    @Test
    void whatAVolumeHadIsNotFreeHoweverOldTheListIs() {
        pass(disk("sdb", "naa.1"));
        mark("/dev/sdb", RawDevice.CONTENT, RawDevice.USED);
        pass(disk("sdb", "naa.1"));
        assertFalse(at("/dev/sdb").spec().available());
        assertFalse(at("/dev/sdb").free());
    }

    @Test
    void whatAVolumeHadIsNotForgottenBeforeItIsErased() {
        pass(disk("sdb", "naa.1"));
        mark("/dev/sdb", RawDevice.CONTENT, RawDevice.USED);
        pass();
        assertEquals(1, cluster.size());
        pass(disk("sdc", "naa.1"));
        assertTrue(at("/dev/sdc").toBeErased());
    }

    @Test
    void whatNativestorGaveAwayIsMarkedForErasure() {
        pass(TestDevice.disk("sdb"));
        allocate("/dev/sdb");
        pass(disk("sdb", "naa.1"));
        assertTrue(at("/dev/sdb").used());
    }

    @Test
    void anErasureThatWasOvertakenBeginsAnew() {
        pass(disk("sdb", "naa.1"));
        mark("/dev/sdb", RawDevice.CONTENT, RawDevice.USED);
        mark("/dev/sdb", RawDevice.ERASED, "1073741824");
        allocate("/dev/sdb");
        pass(disk("sdb", "naa.1"));
        assertEquals(0, at("/dev/sdb").erasedBytes());
    }
}
