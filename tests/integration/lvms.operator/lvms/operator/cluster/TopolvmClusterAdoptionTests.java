package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.listing.GroupListing;
import lvms.api.nativestor.TopolvmCluster;
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
