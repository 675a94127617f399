package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.EffectiveDiscovery;
import lvms.api.nativestor.ClusterStorage;
import lvms.k8s.object.Names;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** Each shape of a TopolvmCluster becomes volume groups that mean the same. */
class WantedGroupsTests {
    private static List<WantedGroup> groups(String flow) {
        return WantedGroups.of(
                ClusterStorage.of(
                        Yaml.read("storage: " + flow).asObject().at("storage").asObject()));
    }

    private static Tree yaml(String text) {
        return Yaml.read(text);
    }

    @Test
    void everyDeviceOfEveryNode() {
        var group =
                groups("{useAllNodes: true, useAllDevices: true, volumeGroupName: v, className: c}")
                        .getFirst();
        assertEquals(Optional.empty(), group.node());
        assertEquals(EffectiveDiscovery.RUNTIME_DYNAMIC, group.spec().group().effectiveDiscovery());
        assertEquals(
                yaml(
                        """
                        default: true
                        deviceDiscoveryPolicy: Dynamic
                        deviceClassName: c
                        volumeGroupName: v
                        spareGb: 10
                        minimumDeviceSize: 2Gi
                        retainOnDelete: true
                        """),
                group.spec().json());
    }

    /** A node that lacks a device takes what it has, as a node of NativeStor failed alone. */
    @Test
    void theSameDevicesOfEveryNodeAreOptionalOnEach() {
        var groups =
                groups(
                        "{useAllNodes: true, volumeGroupName: v, className: c, devices: [{name:"
                                + " /dev/sdb}, {name: /dev/sdc}]}");
        assertEquals(1, groups.size());
        assertEquals(
                yaml("{optionalPaths: [/dev/sdb, /dev/sdc]}"),
                groups.getFirst().spec().json().at("deviceSelector"));
        assertTrue(groups.getFirst().spec().listing().allowEmptying());
    }

    @Test
    void eachClassOfAListedNodeIsAVolumeGroupOfThatNode() {
        var groups =
                groups(
                        "{useLoop: true, deviceClasses: [{nodeName: n1, classes: [{className: fast,"
                            + " volumeGroup: data, default: true, spareGb: 5, stripe: 2,"
                            + " stripeSize: 64k, devices: [{name: /dev/sdb, type: disk}, {name:"
                            + " /dev/loop2, type: loop}, {name: l, type: loop, auto: true, path:"
                            + " /data, size: 4}]}, {className: slow, volumeGroup: rest, spareGb: 0,"
                            + " devices: [{name: /dev/sdc}]}]}, {nodeName: n2, classes:"
                            + " [{className: fast, volumeGroup: data, devices: [{name:"
                            + " /dev/sdb}]}]}]}");
        assertEquals(
                List.of("n1 fast data", "n1 slow rest", "n2 fast data"),
                groups.stream()
                        .map(
                                g ->
                                        g.node().orElseThrow()
                                                + " "
                                                + g.deviceClass()
                                                + " "
                                                + g.volumeGroup())
                        .toList());
        assertEquals(
                yaml(
                        """
                        default: true
                        deviceSelector: {paths: [/dev/sdb, /dev/loop2]}
                        nodeSelector:
                          nodeSelectorTerms:
                            - matchFields:
                                - {key: metadata.name, operator: In, values: [n1]}
                        deviceClassName: fast
                        volumeGroupName: data
                        spareGb: 5
                        stripe: 2
                        stripeSize: 64k
                        minimumDeviceSize: 2Gi
                        retainOnDelete: true
                        allowEmptying: true
                        loops:
                          - {name: /dev/loop2}
                          - {name: l, path: /data, sizeGb: 4, auto: true}
                        """),
                groups.getFirst().spec().json());
        assertEquals(10, groups.get(1).spec().listing().spareGb().orElseThrow(), "0 was left out");
    }

    /** In NativeStor it was a device that is not there, so the class waits for it. */
    @Test
    void aLoopDeviceThatNobodyMakesIsADeviceThatIsNotThere() {
        var device = "{name: l, type: loop, auto: true, path: /data, size: 4}";
        var classes = "[{className: c, volumeGroup: v, devices: [%s]}]".formatted(device);
        var nodes = "deviceClasses: [{nodeName: n1, classes: " + classes + "}]}";
        var spec = groups("{useLoop: false, " + nodes).getFirst().spec();
        assertEquals(yaml("{paths: [l]}"), spec.json().at("deviceSelector"));
        assertEquals(List.of(), spec.listing().loops());
        assertEquals(
                1, groups("{useLoop: true, " + nodes).getFirst().spec().listing().loops().size());
    }

    @Test
    void bothListsTogetherAreOneClassOnTheListedNodes() {
        var groups =
                groups(
                        "{volumeGroupName: hdd, className: h, devices: [{name: /dev/sdb}],"
                                + " deviceClasses: [{nodeName: n1, classes: [{className: x,"
                                + " volumeGroup: y, devices: [{name: /dev/sdc}]}]}, {nodeName:"
                                + " n2}]}");
        assertEquals(
                List.of(Optional.of("n1"), Optional.of("n2")),
                groups.stream().map(WantedGroup::node).toList());
        for (var group : groups) {
            assertEquals("h", group.deviceClass());
            assertEquals("hdd", group.volumeGroup());
            assertTrue(group.spec().isDefault());
            assertEquals(yaml("{paths: [/dev/sdb]}"), group.spec().json().at("deviceSelector"));
        }
    }

    /** The LVMVolumeGroup says it in the words of an LVMCluster, so nodes know what to do. */
    @Test
    void theRaidLayoutOfAClassReachesItsVolumeGroup() {
        var two = "devices: [{name: /dev/sdb}, {name: /dev/sdc}]";
        var one = "volumeGroupName: v, className: c, raidConfig: {type: raid1}, " + two;
        var listed =
                "classes: [{className: c, volumeGroup: v, raidConfig: {type: raid1}, " + two + "}]";
        for (var flow :
                List.of(
                        "{useAllNodes: true, " + one + "}",
                        "{" + one + ", deviceClasses: [{nodeName: n1}]}",
                        "{deviceClasses: [{nodeName: n1, " + listed + "}]}")) {
            var group = groups(flow).getFirst().spec();
            assertEquals(yaml("{type: raid1}"), group.json().at("raidConfig"), flow);
            assertEquals(EffectiveDiscovery.PRECONFIGURED, group.group().effectiveDiscovery());
        }
        var mixed =
                groups(
                        "{deviceClasses: [{nodeName: n1, classes: [{className: c, volumeGroup: v,"
                                + " raidConfig: {type: raid5, stripeSize: 64Ki}, "
                                + two
                                + "}, {className: d, volumeGroup: w, "
                                + two
                                + "}]}]}");
        assertEquals(
                yaml("{type: raid5, stripeSize: 64Ki}"),
                mixed.getFirst().spec().json().at("raidConfig"));
        assertFalse(mixed.getLast().spec().json().has("raidConfig"), "each class says its own");
    }

    /** An empty selector would take every device; a class without devices asks for no group. */
    @Test
    void aClassWithoutDevicesAsksForNothing() {
        assertEquals(
                List.of(),
                groups(
                        "{deviceClasses: [{nodeName: n1, classes: [{className: a, volumeGroup: v,"
                                + " devices: []}]}]}"));
        assertEquals(
                List.of(),
                groups("{useAllNodes: true, volumeGroupName: v, className: c, devices: []}"));
    }

    @Test
    void namesAreReadableValidAndApart() {
        var node = Optional.of("Node.1.example.com");
        var name = GroupObjectName.of("Fast_Disk", node);
        assertTrue(name.startsWith("topolvm-fast-disk-node-1-example-com-"), name);
        assertTrue(Names.isDnsLabel(name), name);
        assertNotEquals(name, GroupObjectName.of("fast_disk", node));
        assertEquals(name, GroupObjectName.of("Fast_Disk", node));
        var longest = GroupObjectName.of("c".repeat(63), Optional.of("n".repeat(253)));
        assertTrue(Names.isDnsLabel(longest), longest);
        assertNotEquals(longest, GroupObjectName.of("c".repeat(63), Optional.of("n".repeat(252))));
        assertNotEquals(
                GroupObjectName.of("a", Optional.empty()),
                GroupObjectName.of("a", Optional.of("n1")));
    }
}
