package lvms.operator.topolvmcluster.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.ClusterStorage;
import lvms.k8s.yaml.Yaml;
import lvms.operator.cluster.rule.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/**
 * Each spec that cannot work is refused with a sentence that says what to do; what worked works.
 */
class StorageRulesTests {
    private static final String PREFIX = "check storage config failed: ";
    private static final String TWO = "{name: /dev/sdb}, {name: /dev/sdc}";

    private static ClusterStorage storage(String flow) {
        return ClusterStorage.of(Yaml.read("storage: " + flow).asObject().at("storage").asObject());
    }

    private static Verdict check(String flow) {
        return StorageRules.check(storage(flow));
    }

    private static Verdict node(String classes) {
        return check("{useLoop: true, deviceClasses: [{nodeName: n1, classes: " + classes + "}]}");
    }

    private static void assertRefused(String text, Verdict verdict) {
        assertEquals(List.of(PREFIX + text), verdict.errors());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{useAllNodes: true, useAllDevices: true, volumeGroupName: vg, className: c,"
                    + " deviceClasses: []} | should not both config use all node and deviceclasses",
                "{useAllNodes: false, useAllDevices: true, deviceClasses: []} | should not config"
                        + " useAllNodes false but useAllDevice true",
                "{useAllNodes: true, useAllDevices: true, volumeGroupName: vg, className: c,"
                        + " devices: []} | should not config useAllNodes true but config"
                        + " storage.devices",
                "{useAllNodes: true, useAllDevices: true, className: c} | if use all nodes"
                        + " ,volumeGroupName and className must be define",
                "{useAllNodes: true, useAllDevices: true, volumeGroupName: vg} | if use all nodes"
                        + " ,volumeGroupName and className must be define"
            })
    void whatNativeStorRefusedIsRefusedInItsWords(String flow, String text) {
        var errors = check(flow).errors();
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().startsWith(PREFIX + text), errors::getFirst);
        assertTrue(errors.getFirst().length() > (PREFIX + text + ": ").length(), "what to do");
    }

    @Test
    void allRulesSpeakInNativeStorsOrder() {
        var errors =
                check(
                                "{useAllNodes: true, useAllDevices: true, devices: [],"
                                        + " deviceClasses: []}")
                        .errors();
        assertEquals(3, errors.size(), errors::toString);
        assertTrue(errors.get(0).contains("should not both config use all node"));
        assertTrue(errors.get(1).contains("but config storage.devices"));
        assertTrue(errors.get(2).contains("must be define"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{useAllNodes: true, useAllDevices: true, volumeGroupName: vg, className: c}"
                        + " | ALL_DEVICES",
                "{useAllNodes: true, volumeGroupName: vg, className: c, devices: [{name: /dev/sdb,"
                        + " type: disk}]} | SAME_DEVICES",
                "{useAllNodes: true, volumeGroupName: vg, className: c, devices: []}"
                        + " | SAME_DEVICES",
                "{deviceClasses: [{nodeName: n1, classes: [{className: c, volumeGroup: vg, default:"
                        + " true, devices: [{name: /dev/sdb, type: disk}]}]}]} | LISTED_CLASSES",
                "{deviceClasses: []} | LISTED_CLASSES"
            })
    void eachShapeIsAccepted(String flow, StorageShape shape) {
        assertEquals(new Verdict(List.of(), List.of()), check(flow));
        assertEquals(shape, StorageShape.of(storage(flow)));
    }

    /** The example of NativeStor has both lists; what it made of them is there on users' disks. */
    @Test
    void bothListsInOneObjectMeanWhatNativeStorMadeOfThem() {
        var flow =
                "{volumeGroupName: hdd, className: hdd, devices: [{name: /dev/sdb, type: disk}],"
                        + " deviceClasses: [{nodeName: n1, classes: [{className: x, volumeGroup:"
                        + " y, devices: [{name: /dev/sdb, type: disk}]}]}]}";
        assertEquals(List.of(), check(flow).errors());
        assertEquals(
                List.of(
                        "storage.devices are used on the nodes that deviceClasses lists, and the"
                                + " classes there are not, as NativeStor did it: remove"
                                + " storage.devices to use those classes"),
                check(flow).warnings());
        assertEquals(StorageShape.SAME_DEVICES_OF_LISTED_NODES, StorageShape.of(storage(flow)));
    }

    @Test
    void bothListsNeedTheNamesOfTheirOneClass() {
        assertRefused(
                "with storage.devices, volumeGroupName and className must be set: set both, or"
                        + " remove storage.devices, and the classes in deviceClasses count",
                check("{devices: [], deviceClasses: []}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{useAllNodes: true, volumeGroupName: vg, className: c} | no devices: set"
                        + " useAllDevices to true, or list storage.devices",
                "{devices: []} | storage.devices are for no node: set useAllNodes to true, or list"
                        + " the devices of each node in deviceClasses",
                "{} | neither nodes nor devices: set useAllNodes to true, or list nodes in"
                        + " deviceClasses",
                "{deviceClasses: [{nodeName: n1}, {nodeName: n2}, {nodeName: n1}]} | node n1 is"
                        + " listed twice in deviceClasses: put its classes into one entry",
                "{deviceClasses: [{nodeName: ''}]} | an entry of deviceClasses has no nodeName: set"
                        + " it"
            })
    void whatNativeStorAcceptedAndCouldNotDoIsRefused(String flow, String text) {
        assertRefused(text, check(flow));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{className: a, volumeGroup: v, default: true}, {className: a, volumeGroup: w}] |"
                        + " node n1: class a is listed twice: put its devices into one entry, or"
                        + " rename one",
                "[{className: a, volumeGroup: v, default: true}, {className: b, volumeGroup: v}] |"
                        + " node n1: volume group v is in two classes: a volume group has one"
                        + " class, so rename one",
                "[{className: a, volumeGroup: v, default: true}, {className: b, volumeGroup: w,"
                        + " default: true}] | node n1: classes a, b are marked as default: leave"
                        + " one",
                "[{volumeGroup: v, default: true}] | node n1: a class has no className: set it",
                "[{className: a, default: true}] | node n1: class a has no volumeGroup: set it",
                "[{className: a_, volumeGroup: v, default: true}] | node n1: className \"a_\" must"
                        + " have at most 63 letters, digits, -, _ and ., with a letter or digit"
                        + " first and last",
                "[{className: a, volumeGroup: -v, default: true}] | node n1: volume group \"-v\""
                        + " must have at most 127 letters, digits, +, _, . and -, and no - first",
                "[{className: a, volumeGroup: v, default: true, spareGb: -1}] | node n1, class a:"
                        + " spareGb must not be negative",
                "[{className: a, volumeGroup: v, default: true, stripe: -1}] | node n1, class a:"
                        + " stripe must not be negative",
                "[{className: a, volumeGroup: v, default: true, stripe: 2, stripeSize: 64 k}] |"
                        + " node n1, class a: stripeSize \"64 k\" must be a number with one of k,"
                        + " m, g, t, p, e, b and s behind it, such as 64k"
            })
    void classesOfANodeThatCannotLiveTogetherAreRefused(String classes, String text) {
        assertRefused(text, node(classes));
    }

    @Test
    void aDeviceIsInOneClass() {
        assertRefused(
                "node n1: device /dev/sdb is in classes a and b: leave it in one of them",
                node(
                        "[{className: a, volumeGroup: v, default: true, devices: [{name:"
                                + " /dev/sdb}]}, {className: b, volumeGroup: w, devices: [{name:"
                                + " /dev/sdb}]}]"));
        assertRefused(
                "node n1, class a: device /dev/sdb is listed twice: leave it once",
                node(
                        "[{className: a, volumeGroup: v, default: true, devices: [{name:"
                                + " /dev/sdb}, {name: /dev/sdb}]}]"));
    }

    @Test
    void theSameDeviceAndClassOfAnotherNodeAreOthers() {
        var classes =
                "classes: [{className: a, volumeGroup: v, default: true, devices: [{name:"
                        + " /dev/sdb}]}]";
        assertEquals(
                new Verdict(List.of(), List.of()),
                check(
                        "{deviceClasses: [{nodeName: n1, "
                                + classes
                                + "}, {nodeName: n2, "
                                + classes
                                + "}]}"));
    }

    /** lvmd serves a node without a default class, so users may have such nodes. */
    @Test
    void aNodeWithoutADefaultClassIsWarnedOf() {
        var verdict = node("[{className: a, volumeGroup: v}]");
        assertEquals(List.of(), verdict.errors());
        assertEquals(1, verdict.warnings().size());
        assertTrue(verdict.warnings().getFirst().startsWith("node n1: no class is the default"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sdb | device \"sdb\" must be the path of a device, such as /dev/sdb",
                "/dev/ | device \"/dev/\" must be the path of a device, such as /dev/sdb",
                "loop1, type: loop | device \"loop1\" must be the path of a device, such as"
                        + " /dev/sdb",
                "loop1, type: loop, auto: true, size: 4 | loop device \"loop1\" has auto: set path"
                        + " to a folder of the node for its file",
                "loop1, type: loop, auto: true, path: /data | loop device \"loop1\" has auto: set"
                        + " size to at least 2 (GiB), smaller devices are not used",
                "loop1, type: loop, auto: true, path: /data, size: 1 | loop device \"loop1\" has"
                        + " auto: set size to at least 2 (GiB), smaller devices are not used"
            })
    void aDeviceIsAPathOrALoopThatCanBeMade(String device, String text) {
        assertRefused(
                "node n1, class a: " + text,
                node(
                        "[{className: a, volumeGroup: v, default: true, devices: [{name: "
                                + device
                                + "}]}]"));
    }

    @Test
    void aLoopToMakeNeedsUseLoop() {
        var devices = "devices: [{name: l, type: loop, auto: true, path: /data/, size: 2}]";
        var all = "useAllNodes: true, volumeGroupName: vg, className: c, " + devices;
        assertEquals(List.of(), check("{useLoop: true, " + all + "}").errors());
        var verdict = check("{" + all + "}");
        assertEquals(List.of(), verdict.errors());
        assertEquals(
                List.of(
                        "spec.storage.devices: loop device \"l\" has auto, but useLoop is false, so"
                                + " it is not made, as NativeStor did it: set useLoop, or remove"
                                + " it"),
                verdict.warnings());
    }

    private static String raid(String devices, String raid) {
        return "[{className: a, volumeGroup: v, default: true, devices: ["
                + devices
                + "], raidConfig: "
                + raid
                + "}]";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: /dev/sdb} | {type: raid1} | raid1 requires at least 2 devices, got 1",
                "{name: /dev/sdb}, {name: /dev/sdc} | {type: raid1, mirrors: 2} | raid1 requires at"
                        + " least 3 devices, got 2",
                "{name: /dev/sdb}, {name: /dev/sdc} | {type: raid5} | raid5 requires at least 3"
                        + " devices, got 2",
                "{name: /dev/sdb}, {name: /dev/sdc}, {name: /dev/sdd}, {name: /dev/sde}, {name:"
                        + " /dev/sdf} | {type: raid10} | raid10 requires a multiple of 2 devices,"
                        + " got 5",
                "{name: /dev/sdb}, {name: /dev/sdc} | {type: raid1, stripes: 2} | stripes is not"
                        + " for raid1",
                "{name: /dev/sdb}, {name: /dev/sdc}, {name: /dev/sdd} | {type: raid5, mirrors: 1} |"
                        + " mirrors is only for raid1 and raid10, not raid5",
                "{name: /dev/sdb}, {name: /dev/sdc}, {name: /dev/sdd} | {type: raid5, stripeSize:"
                        + " 3Ki} | stripeSize must be a power of two greater than zero, got 3Ki"
            })
    void aRaidLayoutThatCannotBeMadeIsRefusedAsInAnLvmCluster(
            String devices, String raid, String text) {
        assertRefused("node n1, class a: " + text, node(raid(devices, raid)));
    }

    @Test
    void aRaidLayoutThatCanBeMadeIsAcceptedInEachShapeThatNamesDevices() {
        var accepted = new Verdict(List.of(), List.of());
        assertEquals(accepted, node(raid(TWO, "{type: raid1}")));
        var loop = "{name: l, type: loop, auto: true, path: /data, size: 2}";
        assertEquals(accepted, node(raid("{name: /dev/sdb}, " + loop, "{type: raid1}")));
        var same = "volumeGroupName: v, className: c, devices: [%s], raidConfig: {type: raid1}";
        assertEquals(accepted, check("{useAllNodes: true, " + same.formatted(TWO) + "}"));
        assertEquals(
                List.of(),
                check("{" + same.formatted(TWO) + ", deviceClasses: [{nodeName: n1}]}").errors());
        assertRefused(
                "spec.storage: raid1 requires at least 2 devices, got 1",
                check("{useAllNodes: true, " + same.formatted("{name: /dev/sdb}") + "}"));
    }

    /** On the way out there is nothing to have a layout. */
    @Test
    void aRaidClassMayLoseAllItsDevices() {
        assertEquals(List.of(), node(raid("", "{type: raid1}")).errors());
        assertEquals(
                List.of(),
                check(
                                "{useAllNodes: true, volumeGroupName: v, className: c, devices: [],"
                                        + " raidConfig: {type: raid1}}")
                        .errors());
    }

    /** Nodes that share a list take what they have of it, so the number is theirs to judge. */
    @Test
    void anOddNumberOfDevicesForAllNodesIsJudgedOnEachNode() {
        var five = TWO + ", {name: /dev/sdd}, {name: /dev/sde}, {name: /dev/sdf}";
        var one =
                "volumeGroupName: v, className: c, devices: ["
                        + five
                        + "], raidConfig: {type: raid10}";
        assertEquals(List.of(), check("{useAllNodes: true, " + one + "}").errors());
        assertRefused(
                "spec.storage: raid10 requires a multiple of 2 devices, got 5",
                check("{" + one + ", deviceClasses: [{nodeName: n1}]}"));
    }

    @ParameterizedTest
    @CsvSource({"stripe: 2", "stripeSize: 64k", "'stripe: 2, stripeSize: 64k'"})
    void raidHasStripesOfItsOwn(String stripes) {
        var verdict =
                node(
                        "[{className: a, volumeGroup: v, default: true, "
                                + stripes
                                + ", devices: ["
                                + TWO
                                + "], raidConfig: {type: raid1}}]");
        assertRefused(
                "node n1, class a: stripe and stripeSize are for classes without RAID: remove them,"
                        + " or set stripes and stripeSize of raidConfig",
                verdict);
    }

    /** Whoever asks for RAID where it does not count would believe that there is a second copy. */
    @Test
    void raidThatWouldHaveNoEffectIsRefused() {
        assertRefused(
                "spec.storage: raidConfig needs disks that are named: set useAllDevices to false,"
                        + " and list storage.devices",
                check(
                        "{useAllNodes: true, useAllDevices: true, volumeGroupName: v, className: c,"
                                + " raidConfig: {type: raid1}}"));
        assertRefused(
                "spec.storage: raidConfig is for the class of storage.devices or useAllNodes: put"
                        + " it into the classes of deviceClasses",
                check("{raidConfig: {type: raid1}, deviceClasses: []}"));
        assertRefused(
                "node n1, class a: raidConfig has no effect, since storage.devices are used and the"
                        + " classes are not: set storage.raidConfig, or remove storage.devices",
                check(
                        "{volumeGroupName: v, className: c, devices: ["
                                + TWO
                                + "], deviceClasses: [{nodeName: n1, classes: "
                                + raid(TWO, "{type: raid1}")
                                + "}]}"));
    }
}
