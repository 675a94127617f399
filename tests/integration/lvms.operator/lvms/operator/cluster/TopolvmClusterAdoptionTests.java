package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.listing.GroupListing;
import lvms.api.listing.LoopFile;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/** As with NativeStor, a volume group of somebody else is left alone, unless people ask for it. */
class TopolvmClusterAdoptionTests extends TopolvmClusterCase {
    private static final String FOREIGN =
            "'status':'Failed','reason':'a volume group without the tag of ours exists'";

    @BeforeEach
    void nodes() throws Exception {
        site.node("n1");
        site.node("n2");
    }

    private void ask(String groups) throws Exception {
        var cluster = site.kube.get(TopolvmCluster.TYPE, NAME);
        site.kube.mergePatch(
                TopolvmCluster.TYPE,
                MergePatch.of(cluster).annotation("lvms.topolvm.io/adopt-volume-groups", groups));
    }

    private GroupListing listing(KubeObject group) throws Exception {
        return LvmVolumeGroup.of(site.kube.get(LvmVolumeGroup.TYPE, group.key())).spec().listing();
    }

    @Test
    @Safety(42)
    void aGroupThatPeopleMadeIsRefusedUntilTheyNameIt() throws Exception {
        site.startOperator();
        create(NAME, listed(node("n1", oneClass("fast", "data", "/dev/sdb"))));
        var group = awaitGroup("fast", "n1");
        assertFalse(listing(group).adoptsOn("n1"));
        site.report("n1", group.name(), FOREIGN);
        var message =
                awaitMessage(
                        NAME,
                        Names.CONDITION_VOLUME_GROUPS,
                        "VGsFailed",
                        "node n1: class fast: create failed vg existing: ");
        assertTrue(message.contains("annotation lvms.topolvm.io/adopt-volume-groups"), message);
        ask("data");
        Site.await("the wish reaches the node", () -> listing(group).adopt());
        site.report("n1", group.name(), "'status':'Ready','devices':['/dev/sdb']");
        awaitReason(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsReady");
    }

    /** The status is NativeStor's only until our first pass; a node may take its turn later. */
    @Test
    void whatNativeStorMadeIsTakenOverOnEachOfItsNodesEvenAfterARestart() throws Exception {
        create(NAME, EVERYTHING);
        site.kube
                .withFieldManager("nativestor")
                .mergePatchStatus(
                        TopolvmCluster.TYPE,
                        NAME,
                        Clusters.tree(
                                "{'status':{'phase':'Ready','nodeStorageState':[{'node':'n1',"
                                        + "'phase':'Ready','successClasses':[{'className':'fast',"
                                        + "'vgName':'data','state':'Ready'}]},{'node':'n2',"
                                        + "'phase':'Failure','failClasses':[{'className':'fast',"
                                        + "'state':'UnReady','message':"
                                        + "'create failed vg existing'}]}]}}"));
        site.startOperator();
        var group = awaitGroup("fast", "");
        assertEquals(List.of("n1"), listing(group).adoptOn());
        site.report("n2", group.name(), FOREIGN);
        awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsFailed", "node n2: class fast");
        site.stopOperator();
        site.startOperator();
        edit(EVERYTHING.replace("useLoop: false", "useLoop: true"));
        run("n1");
        await(NAME, c -> c.status().nodes().size() == 2);
        assertEquals(List.of("n1"), listing(group).adoptOn(), "n1 has not had its turn yet");
        site.report("n1", group.name(), "'status':'Ready','devices':['/dev/sdb']");
        Site.await("it is no longer needed", () -> listing(group).adoptOn().isEmpty());
    }

    private static final String LOOP =
            "{useAllNodes: true, useAllDevices: false, useLoop: true, volumeGroupName: data,"
                    + " className: fast, devices: [{name: a, type: loop, auto: true, path:"
                    + " /var/loops, size: 4}]}";

    private static List<LoopState> loops(TopolvmCluster cluster) {
        return cluster.status().nodes().stream().flatMap(n -> n.loops().stream()).toList();
    }

    private List<LoopFile> files(KubeObject group) throws Exception {
        return listing(group).loops().getFirst().files();
    }

    /** Its names are random: once they are lost, the node would make empty files beside them. */
    @Test
    @Safety(42)
    void filesOfNativeStorsLoopDevicesAreToldToTheNodesAndStayInTheStatus() throws Exception {
        var file = "/var/loops/6f9619ff-8b86-d011-b42d-00c04fc964ff";
        create(NAME, LOOP);
        site.kube
                .withFieldManager("nativestor")
                .mergePatchStatus(
                        TopolvmCluster.TYPE,
                        NAME,
                        Clusters.tree(
                                "{'status':{'phase':'Ready','nodeStorageState':[{'node':'n1',"
                                        + "'phase':'Ready','successClasses':[{'className':'fast',"
                                        + "'vgName':'data','state':'Ready'}],'loops':[{'name':'a',"
                                        + "'file':'"
                                        + file
                                        + "','deviceName':'/dev/loop3',"
                                        + "'status':'successful','message':''}]}]}}"));
        site.startOperator();
        var group = awaitGroup("fast", "");
        var told = List.of(new LoopFile("n1", file));
        assertEquals(told, files(group));
        run("n1");
        var waiting = await(NAME, c -> loops(c).stream().noneMatch(LoopState::isSuccessful));
        assertEquals(file, loops(waiting).getFirst().file(), "before the node says anything");
        assertEquals("a", loops(waiting).getFirst().name());

        site.report(
                "n1",
                group.name(),
                "'status':'Ready','devices':['/dev/loop5'],'loops':[{'name':'a','file':'%s',"
                                .formatted(file)
                        + "'deviceName':'/dev/loop5','status':'successful','message':''}]");
        var ready = List.of(LoopState.successful("a", file, "/dev/loop5", ""));
        await(NAME, c -> loops(c).equals(ready));
        Site.await("it serves", () -> listing(group).adoptOn().isEmpty());
        assertEquals(told, files(group), "whoever loses the node's status needs it still");

        // The way back leaves the cluster with its status, and the place may be taken again.
        site.stopOperator();
        site.kube.delete(LvmVolumeGroup.TYPE, group.key(), DeleteOptions.any());
        site.release(group.name(), "n1");
        Site.await("it is gone", () -> site.groups().isEmpty());
        site.startOperator();
        assertEquals(told, files(awaitGroup("fast", "")));
    }

    @Test
    void aBadAnnotationIsOneLineAndChangesNothing() throws Exception {
        site.startOperator();
        create(NAME, listed(node("n1", oneClass("fast", "data", "/dev/sdb"))));
        var group = awaitGroup("fast", "n1");
        ask("data,my group");
        var message =
                awaitMessage(
                        NAME, Names.CONDITION_RESOURCES, "ResourcesSyncIncomplete", "annotation");
        assertTrue(message.contains("\"my group\" is not the name of a volume group"), message);
        site.awaitEvent(NAME.name(), "EditRefused");
        assertFalse(listing(group).adopt());
        ask("*");
        Site.await("the good one counts", () -> listing(group).adopt());
        await(NAME, c -> !c.status().toString().contains("not the name of a volume group"));
    }
}
