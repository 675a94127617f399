package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The life of a TopolvmCluster, from a sample of NativeStor until it is Ready. */
@Lasts(seconds = 25)
class TopolvmClusterTests extends TopolvmClusterCase {
    @Test
    void everyDeviceOfEveryNodeBecomesReadyInNativeStorsWords() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
        create(NAME, EVERYTHING);
        var group = awaitGroup("fast", "");
        assertEquals(
                Yaml.read(
                        "{default: true, deviceDiscoveryPolicy: Dynamic, deviceClassName: fast,"
                                + " volumeGroupName: data, spareGb: 10, minimumDeviceSize: 2Gi,"
                                + " retainOnDelete: true}"),
                group.json().at("spec"));
        await(NAME, c -> c.status().nodesReady().equals("0/2"));
        site.rollOut(2);
        for (var node : List.of("n1", "n2")) {
            run(node);
            site.report(node, group.name(), "'status':'Ready','devices':['/dev/sdb']");
        }
        var ready =
                await(
                        NAME,
                        c ->
                                c.status().nodesReady().equals("2/2")
                                        && c.status().conditions().stream()
                                                .filter(k -> k.type().startsWith("Res"))
                                                .allMatch(k -> k.holds()));
        assertEquals(Optional.of(Phase.READY), ready.status().phase());
        assertEquals(
                List.of("n1", "n2"),
                ready.status().nodes().stream().map(NodeStorageState::node).toList());
        var fast = ready.status().nodes().getFirst().successClasses().getFirst();
        assertEquals("data", fast.vgName());
        assertEquals("create successful", fast.message());
        assertEquals(ClassState.READY, fast.state());
        assertEquals(List.of(TopolvmCluster.FINALIZER), ready.object().finalizers());
        awaitReason(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsReady");
        var event = site.awaitEvent(NAME.name(), "DeviceClassCreated");
        assertTrue(
                event.text("note").orElseThrow().contains("class fast: volume group data is there"),
                event.toJson());
        for (var owned :
                List.of(
                        group,
                        site.kube.get(Types.DAEMON_SET, AGENT),
                        site.kube.get(
                                LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, "n2")))) {
            var owner = owned.ownerReferences().getFirst();
            assertEquals("TopolvmCluster", owner.kind());
            assertEquals(ready.object().uid(), owner.uid());
        }
        assertEquals(
                "TopolvmCluster",
                site.kube
                        .get(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.io"))
                        .labels()
                        .get("owned-by.topolvm.io/kind"));
    }

    @Test
    void aClassThatFailsOnOneNodeIsNamedWithItsDevice() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
        create(
                NAME,
                listed(
                        node("n1", oneClass("fast", "data", "/dev/sdb")),
                        node("n2", oneClass("fast", "rest", "/dev/sdc"))));
        var one = awaitGroup("fast", "n1");
        var two = awaitGroup("fast", "n2");
        site.rollOut(2);
        run("n1");
        run("n2");
        site.report("n1", one.name(), "'status':'Ready','devices':['/dev/sdb']");
        site.report(
                "n2",
                two.name(),
                "'status':'Failed','reason':'no device','excluded':[{'name':'/dev/sdc',"
                        + "'reasons':['it has ext4']}]");
        var message =
                awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsFailed", "create failed");
        assertEquals(
                "node n2: class fast: create failed: no device (/dev/sdc: disk may has filesystem"
                        + " or is not raw disk please check: it has ext4)",
                message);
        var state = await(NAME, c -> c.status().nodesReady().equals("1/2")).status();
        assertEquals(Optional.of(Phase.READY), state.phase(), "one node works");
        assertEquals(Optional.of(Phase.UNKNOWN), state.nodes().getLast().phase());
        assertEquals("rest", state.nodes().getLast().failClasses().getFirst().vgName());
        var event = site.awaitEvent(NAME.name(), "DeviceClassFailed");
        assertTrue(event.text("note").orElseThrow().startsWith("node n2: class fast: create"));
    }

    @Test
    void loopDevicesAreAskedForAndShownAsTheNodeReportsThem() throws Exception {
        site.node("n1");
        site.startOperator();
        create(
                NAME,
                "{useAllNodes: true, useAllDevices: false, useLoop: true, volumeGroupName: data,"
                        + " className: fast, devices: [{name: a, type: loop, auto: true, path:"
                        + " /var/loops, size: 4}]}");
        var group = awaitGroup("fast", "");
        assertEquals(
                List.of(new LoopDevice("a", Optional.of("/var/loops"), OptionalInt.of(4), true)),
                LvmVolumeGroup.of(group).spec().listing().loops());
        site.rollOut(1);
        run("n1");
        var full = "the filesystem of /var/loops is full";
        site.report(
                "n1",
                group.name(),
                "'status':'Failed','reason':'%s','loops':[{'name':'a','status':'failed',"
                                .formatted(full)
                        + "'message':'%s'}]".formatted(full));
        var failed = await(NAME, c -> !loops(c).isEmpty());
        assertEquals(List.of(new LoopState("a", "", "", "failed", full)), loops(failed));
        awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsFailed", full);
        site.report(
                "n1",
                group.name(),
                "'status':'Ready','devices':['/dev/loop3'],'loops':[{'name':'a','file':'/f',"
                        + "'deviceName':'/dev/loop3','status':'successful','message':''}]");
        var made = List.of(new LoopState("a", "/f", "/dev/loop3", "successful", ""));
        var ready = await(NAME, c -> loops(c).equals(made));
        assertEquals(
                ClassState.READY,
                ready.status().nodes().getFirst().successClasses().getFirst().state());
    }

    private static List<LoopState> loops(TopolvmCluster cluster) {
        return cluster.status().nodes().stream().flatMap(n -> n.loops().stream()).toList();
    }

    @Test
    void aSpecThatBreaksARuleMakesNothingAndSaysWhatToDo() throws Exception {
        site.node("n1");
        site.startOperator();
        create(NAME, "{useAllNodes: true, useAllDevices: true, useLoop: false}");
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(message.contains("volumeGroupName and className must be define"), message);
        site.awaitEvent(NAME.name(), "SpecRejected");
        assertEquals(
                Optional.of(Phase.FAILURE),
                TopolvmCluster.of(site.kube.get(TopolvmCluster.TYPE, NAME)).status().phase());
        assertEquals(List.of(), site.groups());
        assertFalse(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        edit(EVERYTHING);
        awaitGroup("fast", "");
    }

    @Test
    void theOldestIsInChargeAndTheNextTakesOver() throws Exception {
        var second = ObjectKey.of(NAMESPACE, "second");
        site.node("n1");
        site.startOperator();
        create(NAME, EVERYTHING);
        awaitGroup("fast", "");
        // Creation times have whole seconds; of one second, the UID decides.
        var created = site.kube.get(TopolvmCluster.TYPE, NAME).creationTimestamp().orElseThrow();
        Site.await("a later second", () -> Instant.now().isAfter(created.plusSeconds(1)));
        create(second, EVERYTHING.replace("fast", "slow").replace("data", "rest"));
        var message = awaitReason(second, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(message.startsWith("only support one cluster instance"), message);
        assertTrue(message.contains("TopolvmCluster topolvm is older"), message);
        assertEquals(List.of(), group("slow", ""));
        site.unregister("n1");
        site.delete(TopolvmCluster.TYPE, NAME);
        awaitGroup("slow", "");
        site.awaitGone(TopolvmCluster.TYPE, NAME);
    }

    /** NativeStor's sample with both lists, and a loop device although useLoop is false. */
    @Test
    void nativeStorsSampleIsAcceptedAsItIs() throws Exception {
        var node = "192.168.16.98";
        var devices =
                "devices: [{name: /dev/sdb, type: disk}, {name: /dev/loop2, type: loop, auto:"
                        + " false}, {name: loop1, type: loop, auto: true, path: /data, size: 100}]";
        site.node(node);
        site.startOperator();
        create(
                NAME,
                "{useAllNodes: false, useAllDevices: false, useLoop: false, volumeGroupName: hdd,"
                        + " className: hdd, "
                        + devices
                        + ", deviceClasses: [{nodeName: "
                        + node
                        + ", classes: [{className: hdd, volumeGroup: test, default: true, "
                        + devices
                        + "}]}]}");
        var group = awaitGroup("hdd", node);
        assertEquals("hdd", LvmVolumeGroup.of(group).volumeGroup(), "the devices at the top count");
        assertEquals(
                Yaml.read("{paths: [/dev/sdb, /dev/loop2, loop1]}"),
                group.json().at("spec", "deviceSelector"));
        site.awaitEvent(NAME.name(), "SpecWarning");
        site.rollOut(1);
        run(node);
        site.report(
                node,
                group.name(),
                "'status':'Failed','reason':'mandatory device path \\\"loop1\\\" is not there'");
        var message =
                awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsFailed", "create failed");
        assertTrue(message.contains("(loop1: disk may has"), message);
        assertTrue(message.contains("useLoop is false, so no loop device is made"), message);
    }

    private static String volumes(String... namesAndUuids) {
        var devices = new ArrayList<String>();
        var volumes = new ArrayList<String>();
        for (int i = 0; i < namesAndUuids.length; i += 2) {
            devices.add("'" + namesAndUuids[i] + "'");
            volumes.add(
                    "{'name':'%s','uuid':'%s'}".formatted(namesAndUuids[i], namesAndUuids[i + 1]));
        }
        return "'devices':[%s],'physicalVolumes':[%s]"
                .formatted(String.join(",", devices), String.join(",", volumes));
    }

    /** Links are what stays true over a boot, in which the kernel names the disks anew. */
    @Test
    void disksByLinksAreToldByTheirLinksAndABootIsNoChange() throws Exception {
        var link = "/dev/disk/by-id/wwn-0x2";
        site.node("n1");
        site.startOperator();
        create(
                NAME,
                "{useAllNodes: true, useAllDevices: false, useLoop: false, volumeGroupName: data,"
                        + " className: fast, devices: [{name: /dev/disk/by-id/wwn-0x1, type: disk},"
                        + " {name: %s, type: disk}]}".formatted(link));
        var group = awaitGroup("fast", "");
        site.rollOut(1);
        run("n1");
        var refused =
                ",'excluded':[{'name':'/dev/sdc','paths':['%s'],'reasons':['/dev/sdc has xfs']}]"
                        .formatted(link);
        var ready = "'status':'Ready',";
        site.report("n1", group.name(), ready + volumes("/dev/sdb", "u1") + refused);
        var message =
                awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsDegraded", "expand warning");
        var why =
                "node n1: class fast: expand warning (%s: disk may has filesystem or is not raw"
                        + " disk please check: /dev/sdc has xfs)";
        assertEquals(why.formatted(link), message);
        var event = site.awaitEvent(NAME.name(), "DeviceClassFailed");
        assertEquals(Optional.of(why.formatted(link)), event.text("note"));

        site.report("n1", group.name(), ready + volumes("/dev/sdc", "u1"));
        await(NAME, c -> names(c).equals(List.of("/dev/sdc")));
        site.report("n1", group.name(), ready + volumes("/dev/sdc", "u1", "/dev/sdd", "u2"));
        var grown = site.awaitEvent(NAME.name(), "DeviceClassExpanded");
        assertEquals(
                Optional.of("node n1: class fast: volume group data now has /dev/sdd"),
                grown.text("note"));
        assertFalse(
                site.kube.list(Types.EVENT, ListOptions.all()).items().stream()
                        .anyMatch(e -> e.text("reason").equals(Optional.of("DeviceClassShrunk"))));
    }

    private static List<String> names(TopolvmCluster cluster) {
        return cluster.status().nodes().stream()
                .flatMap(n -> n.successClasses().stream())
                .flatMap(c -> c.deviceStates().stream())
                .map(ClassState.DeviceState::name)
                .toList();
    }

    @Test
    void inAnotherNamespaceItIsToldWhereItBelongs() throws Exception {
        var elsewhere = ObjectKey.of("elsewhere", "topolvm");
        site.namespace("elsewhere");
        site.startOperator();
        create(elsewhere, EVERYTHING);
        var message = awaitReason(elsewhere, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(message.contains("create it in " + NAMESPACE + " instead"), message);
        assertEquals(List.of(), site.groups());
    }

    /** NativeStor had no series after a restart, and kept those of nodes that were gone. */
    @Test
    void theHealthIsServedFromTheFirstPassOnAndLeftOutWhenItEnds() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
        create(NAME, listed(node("n1", oneClass("fast", "data", "/dev/sdb")), node("n2")));
        var group = awaitGroup("fast", "n1");
        awaitMetric("topolvm_health_cluster_status{cluster_name=\"topolvm\"} 1", true);
        site.rollOut(2);
        run("n1");
        site.report("n1", group.name(), "'status':'Ready','devices':['/dev/sdb']");
        awaitMetric("topolvm_health_cluster_status{cluster_name=\"topolvm\"} 0", true);
        awaitMetric("topolvm_health_node_status{node_name=\"n1\"} 0", true);
        awaitMetric("topolvm_health_node_status{node_name=\"n2\"} 1", true);
        site.stopOperator();
        site.startOperator();
        awaitMetric("topolvm_health_node_status{node_name=\"n1\"} 0", true);
        edit(listed(node("n1", oneClass("fast", "data", "/dev/sdb"))));
        awaitMetric("topolvm_health_node_status{node_name=\"n2\"}", false);
        site.unregister("n1");
        site.unregister("n2");
        site.kube.delete(
                Types.POD,
                ObjectKey.of(NAMESPACE, "vg-manager-n1"),
                DeleteOptions.any().gracePeriodSeconds(0));
        site.delete(TopolvmCluster.TYPE, NAME);
        site.awaitObject(LvmVolumeGroup.TYPE, group.key(), KubeObject::terminating);
        site.release(group.name(), "n1");
        awaitMetric("topolvm_health_cluster_status{", false);
        awaitMetric("topolvm_health_node_status{", false);
    }

    /** NativeStor kept the entry, so the node counted as one that is not Ready for ever. */
    @Test
    void aNodeThatIsDeletedLeavesTheStatusOfAllNodes() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
        create(NAME, EVERYTHING);
        var group = awaitGroup("fast", "");
        site.rollOut(2);
        for (var node : List.of("n1", "n2")) {
            run(node);
            site.report(node, group.name(), "'status':'Ready','devices':['/dev/sdb']");
        }
        await(NAME, c -> c.status().nodesReady().equals("2/2"));
        site.delete(Types.NODE, ObjectKey.cluster("n2"));
        var left = await(NAME, c -> c.status().nodesReady().equals("1/1")).status();
        assertEquals(List.of("n1"), left.nodes().stream().map(NodeStorageState::node).toList());
        assertEquals(Optional.of(Phase.READY), left.phase());
        awaitMetric("topolvm_health_node_status{node_name=\"n2\"}", false);
    }

    @Test
    void aGroupThatSomebodyDeletesIsMadeAgain() throws Exception {
        site.node("n1");
        site.startOperator();
        create(NAME, EVERYTHING);
        var group = awaitGroup("fast", "");
        site.delete(LvmVolumeGroup.TYPE, group.key());
        site.awaitObject(LvmVolumeGroup.TYPE, group.key(), g -> !g.uid().equals(group.uid()));
    }
}
