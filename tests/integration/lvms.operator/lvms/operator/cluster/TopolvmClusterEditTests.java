package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** Each edit of a TopolvmCluster is carried out, or refused with what to do; none is ignored. */
@Lasts(seconds = 20)
class TopolvmClusterEditTests extends TopolvmClusterCase {
    private static final String FAST = oneClass("fast", "data", "/dev/sdb");
    private static final String SLOW = oneClass("slow", "rest", "/dev/sdc");

    @BeforeEach
    void nodes() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
    }

    private void volume(String name, String node, String deviceClass) throws Exception {
        site.createObject(
                Driver.TOPOLVM.logicalVolumes(),
                ObjectKey.cluster(name),
                "{'spec':{'name':'%s','nodeName':'%s','deviceClass':'%s','size':'1Gi'}}"
                        .formatted(name, node, deviceClass));
    }

    private static boolean retained(KubeObject group) {
        return LvmVolumeGroup.of(group).spec().listing().retainOnDelete();
    }

    private KubeObject awaitTerminating(KubeObject group) throws Exception {
        return site.awaitObject(LvmVolumeGroup.TYPE, group.key(), KubeObject::terminating);
    }

    @Test
    void devicesAndOptionsOfAClassReachItsGroup() throws Exception {
        create(NAME, listed(node("n1", FAST)));
        var before = awaitGroup("fast", "n1");
        site.report("n1", before.name(), "'status':'Ready','devices':['/dev/sdb']");
        await(NAME, c -> c.toString().contains("create successful"));
        edit(
                listed(
                        node(
                                "n1",
                                oneClass("fast", "data", "/dev/sdb", "/dev/sdd")
                                        .replace("default: true", "default: false, spareGb: 3"))));
        var after =
                site.awaitObject(
                        LvmVolumeGroup.TYPE, before.key(), g -> g.toJson().contains("/dev/sdd"));
        assertEquals(before.uid(), after.uid());
        assertEquals(3, after.number("spec", "spareGb").orElseThrow());
        assertEquals(Optional.of(false), after.flag("spec", "default"));
        site.report("n1", before.name(), "'status':'Ready','devices':['/dev/sdb','/dev/sdd']");
        var grown = site.awaitEvent(NAME.name(), "DeviceClassExpanded");
        assertTrue(grown.text("note").orElseThrow().endsWith("now has /dev/sdd"), grown.toJson());
        edit(listed(node("n1", oneClass("fast", "data", "/dev/sdd"))));
        site.awaitObject(
                LvmVolumeGroup.TYPE, before.key(), g -> !g.toJson().contains("\"/dev/sdb\""));
        site.report("n1", before.name(), "'status':'Ready','devices':['/dev/sdd']");
        site.awaitEvent(NAME.name(), "DeviceClassShrunk");
    }

    /** NativeStor ignored a node that left, and forgot a class whose group could not go. */
    @Test
    @Safety(42)
    void aNodeThatLeavesTheListGivesItsGroupUpOnceItsVolumesAreGone() throws Exception {
        create(NAME, listed(node("n1", FAST), node("n2", FAST)));
        var kept = awaitGroup("fast", "n1");
        var leaving = awaitGroup("fast", "n2");
        site.report("n2", leaving.name(), "'status':'Ready','devices':['/dev/sdb']");
        volume("pvc-1", "n2", "");
        volume("pvc-other", "n1", "fast");
        edit(listed(node("n1", FAST)));
        var message =
                awaitMessage(
                        NAME, Names.CONDITION_RESOURCES, "ResourcesSyncIncomplete", "LogicalVol");
        assertTrue(
                message.contains(
                        "LogicalVolumes of device class fast have to be deleted first: pvc-1"),
                message);
        var state = await(NAME, c -> c.toString().contains("delete error: LogicalVolumes"));
        assertEquals(2, state.status().nodes().size(), "the class is not forgotten");
        assertEquals(false, site.kube.get(LvmVolumeGroup.TYPE, leaving.key()).terminating());
        site.delete(Driver.TOPOLVM.logicalVolumes(), ObjectKey.cluster("pvc-1"));
        assertEquals(false, retained(awaitTerminating(leaving)), "the volume group goes, too");
        assertEquals(true, retained(site.kube.get(LvmVolumeGroup.TYPE, kept.key())));
        site.report("n2", leaving.name(), "'status':'Ready'");
        site.release(leaving.name(), "n2");
        site.awaitGone(LvmVolumeGroup.TYPE, leaving.key());
        await(NAME, c -> c.status().nodes().size() == 1);
        site.awaitEvent(NAME.name(), "DeviceClassDeleted");
    }

    @Test
    void aClassComesAndGoesBesideAnother() throws Exception {
        create(NAME, listed(node("n1", FAST)));
        awaitGroup("fast", "n1");
        edit(listed(node("n1", FAST, SLOW)));
        var slow = awaitGroup("slow", "n1");
        edit(listed(node("n1", FAST)));
        site.awaitGone(LvmVolumeGroup.TYPE, slow.key());
        awaitGroup("fast", "n1");
    }

    /** Its volume group stays where it is, with its volumes. */
    @Test
    void anotherShapeAdoptsTheGroups() throws Exception {
        create(NAME, EVERYTHING);
        var all = awaitGroup("fast", "");
        site.report("n1", all.name(), "'status':'Ready','devices':['/dev/sdb']");
        volume("pvc-1", "n1", "fast");
        edit(listed(node("n1", FAST), node("n2", FAST)));
        assertTrue(retained(awaitTerminating(all)));
        assertEquals(List.of(), group("fast", "n1"), "not while the former one is there");
        site.release(all.name(), "n1");
        site.awaitGone(LvmVolumeGroup.TYPE, all.key());
        // It has our tag by now, so nothing has to be taken over.
        assertEquals(false, LvmVolumeGroup.of(awaitGroup("fast", "n1")).spec().listing().adopt());
        awaitGroup("fast", "n2");
    }

    @Test
    void anotherVolumeGroupForAClassIsRefusedWithWhatToDo() throws Exception {
        create(NAME, listed(node("n1", FAST)));
        var before = awaitGroup("fast", "n1");
        edit(listed(node("n1", oneClass("fast", "other", "/dev/sdb"))));
        var message =
                awaitMessage(
                        NAME, Names.CONDITION_RESOURCES, "ResourcesSyncIncomplete", "cannot be");
        assertTrue(message.contains("take the latter out of the spec first"), message);
        site.awaitEvent(NAME.name(), "EditRefused");
        var after = site.kube.get(LvmVolumeGroup.TYPE, before.key());
        assertEquals(Yaml.read(before.json().at("spec").toString()), after.json().at("spec"));
    }

    /** What was accepted stays in force while a later spec breaks a rule. */
    @Test
    void aRejectedEditChangesNothing() throws Exception {
        create(NAME, listed(node("n1", FAST)));
        var before = awaitGroup("fast", "n1");
        edit(listed(node("n1", FAST), node("n1", SLOW)));
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(message.contains("node n1 is listed twice"), message);
        assertEquals(before.uid(), awaitGroup("fast", "n1").uid());
        assertEquals(1, site.groups().size());
    }

    private static String withRaid(String raid, String... devices) {
        return oneClass("fast", "data", devices)
                .replace("volumeGroup: data", "volumeGroup: data, raidConfig: " + raid);
    }

    /**
     * What the node agents are told is what an LVMCluster's would be, so they need to know no more.
     */
    @Test
    void theRaidLayoutOfAClassReachesItsGroupAndStays() throws Exception {
        var raid = "{type: raid5, stripes: 2, stripeSize: 64Ki}";
        var three = List.of("/dev/sdb", "/dev/sdd", "/dev/sde").toArray(String[]::new);
        create(NAME, listed(node("n1", withRaid(raid, three), SLOW)));
        var before = awaitGroup("fast", "n1");
        assertEquals(Yaml.read(raid), raidOf(before));
        assertTrue(raidOf(awaitGroup("slow", "n1")).isNull());
        edit(listed(node("n1", oneClass("fast", "data", three), SLOW)));
        awaitMessage(
                NAME,
                Names.CONDITION_RESOURCES,
                "ResourcesSyncIncomplete",
                "node n1: raidConfig of class fast cannot be removed while volume group data is");
        site.awaitEvent(NAME.name(), "EditRefused");
        assertEquals(
                before.json().at("spec"),
                site.kube.get(LvmVolumeGroup.TYPE, before.key()).json().at("spec"));
        edit(
                listed(
                        node(
                                "n1",
                                withRaid(raid, "/dev/sdb", "/dev/sdd", "/dev/sde", "/dev/sdf"),
                                SLOW)));
        var after =
                site.awaitObject(
                        LvmVolumeGroup.TYPE, before.key(), g -> g.toJson().contains("/dev/sdf"));
        assertEquals(Yaml.read(raid), raidOf(after));
        assertEquals(before.uid(), after.uid());
    }

    private static Tree raidOf(KubeObject group) {
        return group.json().at("spec").asObject().at("raidConfig");
    }

    @Test
    void theRaidLayoutOfDevicesThatAllNodesHaveReachesTheirGroup() throws Exception {
        var storage =
                "{useAllNodes: true, useAllDevices: false, useLoop: false, volumeGroupName: data,"
                    + " className: fast, raidConfig: {type: raid1}, devices: [{name: /dev/sdb}]}";
        create(NAME, storage);
        awaitMessage(
                NAME,
                Names.CONDITION_RESOURCES,
                "SpecRejected",
                "raid1 requires at least 2 devices, got 1");
        assertEquals(List.of(), site.groups());
        edit(storage.replace("}]", "}, {name: /dev/sdc}]"));
        assertEquals(Yaml.read("{type: raid1}"), raidOf(awaitGroup("fast", "")));
    }

    /**
     * An operator that did not know the field took it from both objects; LVM still has its RAID.
     */
    @Test
    void aRaidLayoutThatAPersonGivesTheGroupMayBeWrittenIntoTheSpec() throws Exception {
        create(NAME, listed(node("n1", oneClass("fast", "data", "/dev/sdb", "/dev/sdd"))));
        var group = awaitGroup("fast", "n1");
        site.kube
                .withFieldManager("kubectl-patch")
                .mergePatch(
                        LvmVolumeGroup.TYPE,
                        group.key(),
                        Clusters.tree("{'spec':{'raidConfig':{'type':'raid1'}}}"));
        awaitMessage(
                NAME,
                Names.CONDITION_RESOURCES,
                "ResourcesSyncIncomplete",
                "cannot be removed while volume group data is there: write {\"type\":\"raid1\"}");
        edit(listed(node("n1", withRaid("{type: raid1}", "/dev/sdb", "/dev/sdd", "/dev/sde"))));
        var after =
                site.awaitObject(
                        LvmVolumeGroup.TYPE, group.key(), g -> g.toJson().contains("/dev/sde"));
        assertEquals(Yaml.read("{type: raid1}"), raidOf(after));
    }
}
