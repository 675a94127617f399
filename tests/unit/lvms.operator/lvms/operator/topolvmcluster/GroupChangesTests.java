package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.ClusterStorage;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** An edit of a TopolvmCluster is carried out or refused with what to do; none is ignored. */
class GroupChangesTests {
    private static final String ALL =
            "{useAllNodes: true, useAllDevices: true, volumeGroupName: data, className: fast}";

    private static List<WantedGroup> wanted(String flow) {
        return WantedGroups.of(
                ClusterStorage.of(
                        Yaml.read("storage: " + flow).asObject().at("storage").asObject()));
    }

    private static String node(String name, String... classes) {
        return "{nodeName: " + name + ", classes: [" + String.join(", ", classes) + "]}";
    }

    private static String oneClass(String name, String group, String device) {
        return "{className: "
                + name
                + ", volumeGroup: "
                + group
                + ", devices: [{name: "
                + device
                + "}]}";
    }

    private static List<WantedGroup> listed(String... nodes) {
        return wanted("{deviceClasses: [" + String.join(", ", nodes) + "]}");
    }

    private static List<LvmVolumeGroup> made(List<WantedGroup> groups) {
        return groups.stream().map(GroupChangesTests::made).toList();
    }

    private static LvmVolumeGroup made(WantedGroup group) {
        var key = ObjectKey.of("ns", group.name());
        return LvmVolumeGroup.of(
                KubeObject.create(LvmVolumeGroup.TYPE, key).with(group.spec().json(), "spec"));
    }

    private static LvmVolumeGroup terminating(WantedGroup group) {
        return LvmVolumeGroup.of(
                made(group).object().with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp"));
    }

    private static List<String> names(List<LvmVolumeGroup> groups) {
        return groups.stream().map(LvmVolumeGroup::name).toList();
    }

    private static void assertSettled(GroupChanges changes) {
        assertEquals(List.of(), changes.remove());
        assertEquals(List.of(), changes.handOver());
        assertEquals(List.of(), changes.waiting());
        assertEquals(List.of(), changes.refused());
    }

    @Test
    void whatIsThereAsAskedForIsKept() {
        var wanted = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var changes = GroupChanges.of(wanted, made(wanted), List.of());
        assertEquals(wanted, changes.apply());
        assertSettled(changes);
    }

    @Test
    void otherDevicesOptionsAndDefaultsReachTheSameObject() {
        var before = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var after = listed(node("n1", oneClass("fast", "data", "/dev/sdc")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(after, changes.apply());
        assertEquals(before.getFirst().name(), after.getFirst().name());
        assertSettled(changes);
    }

    /** A class or volume group that an LVMCluster has on the node stays its own. */
    @Test
    void aNameOfAnotherClusterIsRefusedUnlessItIsThereAlready() {
        var wanted =
                listed(
                        node(
                                "n1",
                                oneClass("vg1", "data", "/dev/sdb"),
                                oneClass("slow", "rest", "/dev/sdc")));
        var key = ObjectKey.of("ns", "vg1");
        var theirs = List.of(LvmVolumeGroup.of(KubeObject.create(LvmVolumeGroup.TYPE, key)));
        var changes = GroupChanges.of(wanted, List.of(), theirs);
        assertEquals(List.of(wanted.getLast()), changes.apply());
        assertEquals(
                List.of(
                        "node n1: class vg1 cannot be made: LVMVolumeGroup vg1 of somebody else has"
                                + " class vg1 and volume group vg1; take another name"),
                changes.refused());
        assertEquals(wanted, GroupChanges.of(wanted, made(wanted), theirs).apply());
    }

    /** NativeStor ignored a node that left the list. */
    @Test
    void aNodeOrClassThatLeavesTheListGoes() {
        var before =
                listed(
                        node(
                                "n1",
                                oneClass("fast", "data", "/dev/sdb"),
                                oneClass("slow", "rest", "/dev/sdc")),
                        node("n2", oneClass("fast", "data", "/dev/sdb")));
        var after = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(after, changes.apply());
        assertEquals(List.of(before.get(1).name(), before.get(2).name()), names(changes.remove()));
        assertEquals(List.of(), changes.refused());
    }

    @Test
    void aClassCannotGetAnotherVolumeGroup() {
        var before = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var after = listed(node("n1", oneClass("fast", "other", "/dev/sdb")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(List.of(), changes.apply());
        assertEquals(List.of(), changes.remove(), "the former one stays");
        assertEquals(
                List.of(
                        "node n1: class fast cannot be volume group other while class fast is"
                                + " volume group data of node n1: take the latter out of the spec"
                                + " first, and add the new one when its LVMVolumeGroup is gone"),
                changes.refused());
    }

    @Test
    void aVolumeGroupCannotGetAnotherClass() {
        var before = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var changes =
                GroupChanges.of(
                        listed(node("n1", oneClass("quick", "data", "/dev/sdb"))),
                        made(before),
                        List.of());
        assertEquals(List.of(), changes.apply());
        assertEquals(List.of(), changes.remove());
        assertEquals(1, changes.refused().size());
        assertTrue(changes.refused().getFirst().startsWith("node n1: class quick cannot be"));
    }

    @Test
    void theSameNamesOnAnotherNodeAreOthers() {
        var before = listed(node("n1", oneClass("fast", "data", "/dev/sdb")));
        var after =
                listed(
                        node("n1", oneClass("fast", "data", "/dev/sdb")),
                        node("n2", oneClass("fast", "rest", "/dev/sdb")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(after, changes.apply());
        assertSettled(changes);
    }

    /** The volume groups stay where they are; other objects describe them afterwards. */
    @Test
    void anotherShapeForTheSameGroupsHandsThemOver() {
        var before = wanted(ALL);
        var after =
                listed(
                        node("n1", oneClass("fast", "data", "/dev/sdb")),
                        node("n2", oneClass("fast", "data", "/dev/sdb")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(List.of(), changes.apply(), "not while the former one is there");
        assertEquals(List.of(before.getFirst().name()), names(changes.handOver()));
        assertEquals(List.of(), changes.remove());
        assertEquals(2, changes.waiting().size());
        assertEquals(
                "node n1: class fast waits until LVMVolumeGroup "
                        + before.getFirst().name()
                        + " is gone",
                changes.waiting().getFirst());
        assertEquals(after, GroupChanges.of(after, List.of(), List.of()).apply());
    }

    @Test
    void theWayBackHandsAllOfThemOver() {
        var before =
                listed(
                        node("n1", oneClass("fast", "data", "/dev/sdb")),
                        node("n2", oneClass("fast", "data", "/dev/sdb")));
        var changes = GroupChanges.of(wanted(ALL), made(before), List.of());
        assertEquals(List.of(), changes.apply());
        assertEquals(before.stream().map(WantedGroup::name).toList(), names(changes.handOver()));
    }

    @Test
    void whatIsTakenOutAndGoingIsWaitedFor() {
        var before = listed(node("n1", oneClass("fast", "data", "/dev/sdb"))).getFirst();
        var after = listed(node("n1", oneClass("fast", "other", "/dev/sdb")));
        var changes = GroupChanges.of(after, List.of(terminating(before)), List.of());
        assertEquals(List.of(), changes.apply());
        assertEquals(List.of(), changes.refused());
        assertEquals(1, changes.waiting().size());
        var there = new ArrayList<>(changes.remove());
        assertEquals(List.of(before.name()), names(there), "it is still on its way out");
    }

    private static String withRaid(String raid) {
        return oneClass("fast", "data", "/dev/sdb}, {name: /dev/sdc")
                .replaceFirst("\\}$", raid + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ', raidConfig: {type: raid1}' | added | remove it",
                "', raidConfig: {type: raid1}' | '' | removed | write {\"type\":\"raid1\"} again",
                "', raidConfig: {type: raid1}' | ', raidConfig: {type: raid1, mirrors: 2}' |"
                        + " changed | write {\"type\":\"raid1\"} again",
                "', raidConfig: {type: raid5, stripeSize: 64Ki}' | ', raidConfig: {type: raid5,"
                        + " stripeSize: 65536}' | changed | write"
                        + " {\"type\":\"raid5\",\"stripeSize\":\"64Ki\"} again"
            })
    void theRaidLayoutOfAVolumeGroupStays(String is, String asked, String verb, String cure) {
        var before = listed(node("n1", withRaid(is), oneClass("slow", "rest", "/dev/sdd")));
        var after = listed(node("n1", withRaid(asked), oneClass("slow", "rest", "/dev/sde")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(List.of(after.getLast()), changes.apply(), "the other class is edited");
        assertEquals(List.of(), changes.remove(), "the volume group stays");
        assertEquals(
                List.of(
                        "node n1: raidConfig of class fast cannot be "
                                + verb
                                + " while volume group data is there: "
                                + cure
                                + ", or take the class out of the spec, and add it anew when its"
                                + " LVMVolumeGroup is gone"),
                changes.refused());
    }

    @Test
    void theSameRaidLayoutGoesOn() {
        var raid = ", raidConfig: {type: raid1}";
        var before = listed(node("n1", withRaid(raid)));
        var after = listed(node("n1", withRaid(raid).replace("/dev/sdc", "/dev/sdd")));
        var changes = GroupChanges.of(after, made(before), List.of());
        assertEquals(after, changes.apply());
        assertSettled(changes);
    }

    /** Otherwise another shape of the spec would be a way round the rule. */
    @Test
    void anotherShapeDoesNotChangeTheRaidLayout() {
        var raid = ", raidConfig: {type: raid1}";
        var before = listed(node("n1", withRaid(raid)), node("n2", withRaid("")));
        var same =
                "{useAllNodes: true, volumeGroupName: data, className: fast, devices: [{name:"
                        + " /dev/sdb}, {name: /dev/sdc}]";
        var changes = GroupChanges.of(wanted(same + raid + "}"), made(before), List.of());
        assertEquals(List.of(), changes.apply());
        assertEquals(List.of(), changes.remove(), "also that of n1, whose layout is right, stays");
        assertEquals(List.of(), changes.handOver());
        assertEquals(1, changes.refused().size());
        assertTrue(
                changes.refused().getFirst().startsWith("node n2: raidConfig of class fast cann"));
        var right = listed(node("n1", withRaid(raid)));
        assertEquals(
                List.of(right.getFirst().name()),
                names(
                        GroupChanges.of(wanted(same + raid + "}"), made(right), List.of())
                                .handOver()));
    }

    @Test
    void aClassThatIsGoingMayComeBackWithAnotherRaidLayout() {
        var before = listed(node("n1", withRaid(""))).getFirst();
        var after = listed(node("n1", withRaid(", raidConfig: {type: raid1}")));
        var changes = GroupChanges.of(after, List.of(terminating(before)), List.of());
        assertEquals(List.of(), changes.refused());
        assertEquals(after, changes.apply());
    }
}
