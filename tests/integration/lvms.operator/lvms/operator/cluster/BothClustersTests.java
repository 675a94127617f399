package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

/** An LVMCluster and a TopolvmCluster share the node agents, and none takes from the other. */
class BothClustersTests extends TopolvmClusterCase {
    private static final ObjectKey DRIVER = ObjectKey.cluster("topolvm.io");
    private static final String VG1 =
            "{'name':'vg1','default':true,'deviceSelector':{'paths':['/dev/vda']},"
                    + "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
                    + "'kubernetes.io/hostname','operator':'In','values':['n1']}]}]}}";

    @BeforeEach
    void nodes() throws Exception {
        site.node("n1");
        site.node("n2");
        site.startOperator();
    }

    private void awaitOwner(ResourceType type, ObjectKey key, String kind) throws Exception {
        site.awaitObject(type, key, o -> owner(o).equals(kind));
    }

    private static String owner(KubeObject object) {
        return object.labels()
                .getOrDefault(
                        "owned-by.topolvm.io/kind",
                        object.ownerReferences().stream()
                                .findFirst()
                                .map(o -> o.kind())
                                .orElse(""));
    }

    private Set<String> nodesWithStatus() throws Exception {
        return site
                .kube
                .list(
                        LvmVolumeGroupNodeStatus.TYPE,
                        lvms.k8s.client.ListOptions.all().namespace(NAMESPACE))
                .items()
                .stream()
                .map(KubeObject::name)
                .collect(Collectors.toSet());
    }

    private void awaitShared(String kind) throws Exception {
        awaitOwner(Types.DAEMON_SET, AGENT, kind);
        awaitOwner(Types.CSI_DRIVER, DRIVER, kind);
        awaitOwner(Types.NETWORK_POLICY, ObjectKey.of(NAMESPACE, "lvms-default-deny"), kind);
        awaitOwner(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, "n1"), kind);
    }

    @Test
    void anLvmClusterThatComesOwnsTheAgentsAndLeavesThemBehind() throws Exception {
        create(NAME, EVERYTHING);
        awaitGroup("fast", "");
        awaitShared("TopolvmCluster");
        var agents = site.kube.get(Types.DAEMON_SET, AGENT).uid();
        var driver = site.kube.get(Types.CSI_DRIVER, DRIVER).uid();

        site.create(cluster(VG1));
        awaitShared("LVMCluster");
        Site.await("every node", () -> nodesWithStatus().equals(Set.of("n1", "n2")));

        site.delete(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        awaitShared("TopolvmCluster");
        assertEquals(agents, site.kube.get(Types.DAEMON_SET, AGENT).uid());
        assertEquals(driver, site.kube.get(Types.CSI_DRIVER, DRIVER).uid());
        assertTrue(site.kube.find(LvmVolumeGroup.TYPE, awaitGroup("fast", "").key()).isPresent());
        assertFalse(
                site.kube.find(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1")).isPresent());
    }

    @Test
    void aTopolvmClusterThatGoesTakesNothingOfTheLvmCluster() throws Exception {
        site.create(cluster(VG1));
        awaitShared("LVMCluster");
        assertEquals(Set.of("n1"), nodesWithStatus());
        var affinity = "nodeSelectorTerms";
        create(NAME, EVERYTHING);
        var group = awaitGroup("fast", "");
        Site.await("every node", () -> nodesWithStatus().equals(Set.of("n1", "n2")));
        site.awaitObject(Types.DAEMON_SET, AGENT, d -> !d.toJson().contains("\"n1\""));
        site.delete(TopolvmCluster.TYPE, NAME);
        site.awaitGone(TopolvmCluster.TYPE, NAME);
        site.awaitGone(LvmVolumeGroup.TYPE, group.key());
        site.awaitObject(
                Types.DAEMON_SET,
                AGENT,
                d -> d.toJson().contains("\"n1\"") && d.toJson().contains(affinity));
        awaitShared("LVMCluster");
        assertTrue(site.kube.find(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1")).isPresent());
    }

    @Test
    void bothGoAtOnceAndNothingIsLeft() throws Exception {
        site.create(cluster(VG1));
        awaitShared("LVMCluster");
        create(NAME, EVERYTHING);
        awaitGroup("fast", "");
        site.unregister("n1");
        site.unregister("n2");
        site.delete(LvmCluster.TYPE, CLUSTER);
        site.delete(TopolvmCluster.TYPE, NAME);
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(TopolvmCluster.TYPE, NAME);
        site.awaitGone(Types.DAEMON_SET, AGENT);
        site.awaitGone(Types.CSI_DRIVER, DRIVER);
        Site.await("no status", () -> nodesWithStatus().isEmpty());
        assertEquals(0, site.groups().size());
    }

    @Test
    void aNameBelongsToWhoHadItFirst() throws Exception {
        site.create(cluster(VG1));
        awaitOwner(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1"), "LVMCluster");
        create(
                NAME,
                listed(
                        node(
                                "n1",
                                oneClass("vg1", "data", "/dev/sdb"),
                                oneClass("fast", "rest", "/dev/sdc"))));
        awaitGroup("fast", "n1");
        var message =
                awaitMessage(
                        NAME,
                        Names.CONDITION_RESOURCES,
                        "ResourcesSyncIncomplete",
                        "cannot be made");
        assertTrue(
                message.contains("class vg1 cannot be made: LVMVolumeGroup vg1 of somebody else"),
                message);
        site.edit(
                "{'spec':{'storage':{'deviceClasses':["
                        + VG1
                        + ",{'name':'rest','deviceSelector':{'paths':['/dev/vdb']}}]}}}");
        var lvmCluster = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(
                lvmCluster.status().conditions().stream()
                        .anyMatch(
                                c ->
                                        c.message()
                                                .equals(
                                                        "device class rest: a TopolvmCluster has a"
                                                            + " class or volume group of this name;"
                                                            + " choose another one")));
        assertEquals(2, site.groups().size());
    }

    /** Its node gives it to one of them, and the other one says to which. */
    @Test
    void aDiskThatBothNameIsToldByWhoDoesNotGetIt() throws Exception {
        site.create(cluster(VG1));
        awaitOwner(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1"), "LVMCluster");
        create(NAME, listed(node("n1", oneClass("fast", "data", "/dev/vda"))));
        var group = awaitGroup("fast", "n1");
        run("n1");
        var why = "/dev/vda is claimed by device class \\\"vg1\\\"";
        site.report(
                "n1",
                group.name(),
                "'status':'Failed','reason':'no device','excluded':[{'name':'/dev/vda',"
                        + "'reasons':['"
                        + why
                        + "']}]");
        var message =
                awaitMessage(NAME, Names.CONDITION_VOLUME_GROUPS, "VGsFailed", "create failed");
        assertTrue(message.contains("/dev/vda is claimed by device class \"vg1\""), message);
    }
}
