package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.NodeStorageState;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** People are told once what became of a class on a node, and nothing that did not happen. */
class ClassEventsTests {
    private static final List<WantedGroup> FAST =
            WantedGroups.of(
                    ClusterStorage.of(
                            Yaml.read(
                                            "{deviceClasses: [{nodeName: n1, classes: [{className:"
                                                    + " fast, volumeGroup: data, devices: [{name:"
                                                    + " /dev/sdb}]}]}]}")
                                    .asObject()));
    private static final NodeStorageState NOTHING = node(List.of(), List.of());

    private static NodeStorageState node(List<ClassState> failed, List<ClassState> there) {
        return new NodeStorageState("n1", Optional.empty(), failed, there, List.of());
    }

    private static ClassState fast(String message, String... devices) {
        return new ClassState(
                "fast",
                "data",
                "Ready",
                message,
                Arrays.stream(devices).map(d -> new DeviceState(d, "Online", "")).toList());
    }

    private static NodeStorageState there(String message, String... devices) {
        return node(List.of(), List.of(fast(message, devices)));
    }

    private static List<String> notes(
            NodeStorageState before, NodeStorageState after, List<WantedGroup> wanted) {
        return ClassEvents.between(List.of(before), List.of(after), wanted).stream()
                .map(note -> note.reason().text() + " " + note.text())
                .toList();
    }

    @Test
    void aClassIsCreatedGrowsShrinksAndGoes() {
        var one = there("create successful", "/dev/sdb");
        var two = there("create successful", "/dev/sdb", "/dev/sdc");
        assertEquals(
                List.of(
                        "DeviceClassCreated node n1: class fast: volume group data is there on"
                                + " /dev/sdb"),
                notes(NOTHING, one, FAST));
        assertEquals(
                List.of(
                        "DeviceClassExpanded node n1: class fast: volume group data now has"
                                + " /dev/sdc"),
                notes(one, two, FAST));
        assertEquals(
                List.of(
                        "DeviceClassShrunk node n1: class fast: volume group data no longer has"
                                + " /dev/sdc"),
                notes(two, one, FAST));
        assertEquals(
                List.of(
                        "DeviceClassDeleted node n1: class fast: volume group data is gone from"
                                + " /dev/sdb"),
                ClassEvents.between(List.of(one), List.of(), List.of()).stream()
                        .map(note -> note.reason().text() + " " + note.text())
                        .toList());
    }

    private static NodeStorageState there(DeviceState... devices) {
        return node(
                List.of(), List.of(new ClassState("fast", "data", "Ready", "", List.of(devices))));
    }

    private static DeviceState disk(String name, String uuid) {
        return new DeviceState(name, "Online", "", uuid);
    }

    /** The kernel counts the disks anew at each boot. */
    @Test
    void aDiskThatHasAnotherNameIsTheSame() {
        var before = there(disk("/dev/sdb", "u1"), disk("/dev/sdc", "u2"));
        assertEquals(
                List.of(),
                notes(before, there(disk("/dev/sdc", "u1"), disk("/dev/sdd", "u2")), FAST));
        assertEquals(
                List.of(),
                notes(before, there(disk("/dev/sdb", "u2"), disk("/dev/sdc", "u1")), FAST));
    }

    @Test
    void anotherDiskUnderTheOldNameIsAnother() {
        assertEquals(
                List.of(
                        "DeviceClassExpanded node n1: class fast: volume group data now has"
                                + " /dev/sdc, /dev/sdb",
                        "DeviceClassShrunk node n1: class fast: volume group data no longer has"
                                + " /dev/sdc"),
                notes(
                        there(disk("/dev/sdb", "u1"), disk("/dev/sdc", "u2")),
                        there(
                                disk("/dev/sda", "u1"),
                                disk("/dev/sdc", "u3"),
                                disk("/dev/sdb", "u4")),
                        FAST));
    }

    /** It is lost, which the message of the class says; nobody took it out or added it. */
    @Test
    void aDiskThatIsLostAndFoundNeitherLeftNorCame() {
        var whole = there(disk("/dev/sdb", "u1"), disk("/dev/sdc", "u2"));
        var lost = there(disk("/dev/sdb", "u1"), new DeviceState("[unknown]", "Offline", "", "u2"));
        assertEquals(List.of(), notes(whole, lost, FAST));
        var back = there(disk("/dev/sdb", "u1"), disk("/dev/sdd", "u2"));
        assertEquals(List.of(), notes(lost, back, FAST));
    }

    /** An agent that starts anew has reported nothing yet. */
    @Test
    void aClassThatIsWantedIsNotDeletedBecauseNobodyReportsIt() {
        assertEquals(List.of(), notes(there("", "/dev/sdb"), NOTHING, FAST));
        var one = there("create successful", "/dev/sdb");
        assertEquals(List.of(), notes(one, one, FAST));
    }

    @Test
    void aFailureIsToldOnceWithTheDeviceToBlame() {
        var device = new DeviceState("/dev/sdb", "Offline", "it has ext4");
        var state = new ClassState("fast", "data", "UnReady", "create failed: x", List.of(device));
        var failed = node(List.of(state), List.of());
        assertEquals(
                List.of(
                        "DeviceClassFailed node n1: class fast: create failed: x (/dev/sdb: it has"
                                + " ext4)"),
                notes(NOTHING, failed, FAST));
        assertEquals(List.of(), notes(failed, failed, FAST));
        assertEquals(
                List.of("DeviceClassFailed node n1: class fast: shrink error: in use"),
                notes(
                        there("create successful", "/dev/sdb"),
                        there("shrink error: in use", "/dev/sdb"),
                        FAST));
    }
}
