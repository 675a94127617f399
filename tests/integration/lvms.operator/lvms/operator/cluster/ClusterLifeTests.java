package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** The life of an LVMCluster, from a file that somebody applies until it is ready and stays so. */
class ClusterLifeTests extends ClusterCase {
    /** Another controller's group is neither a class of the cluster nor part of its status. */
    @Test
    void theGroupsOfAnotherOwnerAreNotItsOwn() throws Exception {
        site.node("n1");
        site.createObject(
                LvmVolumeGroup.TYPE,
                group("n1-vg1"),
                "{'metadata':{'name':'n1-vg1','namespace':'lvms-system','ownerReferences':["
                    + "{'apiVersion':'v2','kind':'Other','name':'o','uid':'u','controller':true}]},"
                    + "'spec':{'default':true,'deviceClassName':'vg1'}}");
        site.startOperator();
        site.create(cluster(VG1));
        site.rollOut(1);
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), g -> controlled(g));
        site.report("n1", "Ready");
        var ready = site.awaitState("Ready");
        assertEquals(
                List.of("vg1"),
                ready.status().deviceClasses().stream()
                        .flatMap(c -> c.nodes().stream())
                        .map(n -> n.volumeGroup().name())
                        .toList());
        assertTrue(site.kube.find(LvmVolumeGroup.TYPE, group("n1-vg1")).isPresent());
    }

    /** A disk that somebody attaches tomorrow belongs to whom it was bought for. */
    @Test
    @Safety(16)
    void aClassThatNamesNoDevicesIsStaticUnlessItWasThereBefore() throws Exception {
        site.node("n1");
        site.create(cluster("{'name':'old'}"));
        site.createObject(
                LvmVolumeGroup.TYPE, group("old"), "{'spec':{'default':true}}"); // of 4.20
        site.startOperator();
        var old = site.awaitObject(LvmVolumeGroup.TYPE, group("old"), g -> controlled(g));
        assertEquals(Optional.empty(), old.text("spec", "deviceDiscoveryPolicy"));

        site.delete(LvmVolumeGroup.TYPE, group("old"));
        var made =
                site.awaitObject(
                        LvmVolumeGroup.TYPE,
                        group("old"),
                        g -> controlled(g) && !g.uid().equals(old.uid()));
        assertEquals(Optional.of("Static"), made.text("spec", "deviceDiscoveryPolicy"));
    }

    private static boolean controlled(KubeObject object) {
        return !object.ownerReferences().isEmpty();
    }

    @Test
    void becomesReadyWithAllItsObjects() throws Exception {
        var cluster = ready(VG1);
        assertTrue(cluster.status().ready());
        assertTrue(cluster.status().conditions().stream().allMatch(c -> c.holds()));
        assertEquals(List.of("lvmcluster.topolvm.io"), cluster.object().finalizers());
        var driver = site.kube.get(Types.CSI_DRIVER, DRIVER);
        assertEquals(cluster.object().uid(), driver.labels().get("owned-by.topolvm.io/uid"));
        assertEquals(
                "true",
                site.kube
                        .get(Types.STORAGE_CLASS, storageClass("vg1"))
                        .annotations()
                        .get("storageclass.kubernetes.io/is-default-class"));
        for (var owned :
                List.of(
                        site.kube.get(LvmVolumeGroup.TYPE, group("vg1")),
                        site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n1")),
                        site.kube.get(Types.DAEMON_SET, AGENT))) {
            var owner = owned.ownerReferences().getFirst();
            assertEquals(cluster.object().uid(), owner.uid());
            assertTrue(owner.controller() && owner.blockOwnerDeletion());
        }
        var status = cluster.status().deviceClasses().getFirst();
        assertEquals("vg1", status.name());
        assertEquals("n1", status.nodes().getFirst().node());
        site.awaitEvent("my", "ResourceReconciliationSuccess");
    }

    @Test
    void whatItSaysAboutLogsReachesEachNodeAndIsTakenBack() throws Exception {
        ready(VG1);
        annotate("\"debug\"");
        Site.await("the level is at the node", () -> logLevel().equals(Optional.of("debug")));
        annotate("null");
        Site.await("the level is taken back", () -> logLevel().isEmpty());
    }

    private void annotate(String level) throws Exception {
        var patch =
                "{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                        .formatted(Names.LOG_LEVEL_ANNOTATION, level);
        site.kube.mergePatch(LvmCluster.TYPE, CLUSTER, Json.parse(patch).asObject());
    }

    private Optional<String> logLevel() throws Exception {
        return site.kube
                .get(LvmVolumeGroupNodeStatus.TYPE, group("n1"))
                .annotation(Names.LOG_LEVEL_ANNOTATION);
    }

    @Test
    void isProgressingUntilTheNodesAreDone() throws Exception {
        site.node("n1");
        site.startOperator();
        site.create(cluster(VG1));
        var cluster =
                site.awaitReason(CLUSTER, Names.CONDITION_VOLUME_GROUPS, "VGReadinessInProgress");
        assertEquals("Progressing", cluster.status().state());
        site.rollOut(1);
        site.report("n1", "Failed");
        site.awaitState("Failed");
        site.report("n1", "Degraded");
        site.awaitState("Degraded");
        site.report("n1", "Ready");
        site.awaitState("Ready");
    }

    @Test
    void waitsForTheRegistrationOfTheDriver() throws Exception {
        ready(VG1);
        site.unregister("n1");
        var cluster =
                site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "ResourcesSyncIncomplete");
        assertTrue(
                cluster.object()
                        .condition(Names.CONDITION_RESOURCES)
                        .orElseThrow()
                        .message()
                        .contains("not registered on nodes: n1"));
        // Each installation waits for that, so it is not a warning before a minute has passed.
        assertTrue(site.event("my", "ResourceReconciliationIncomplete").isEmpty());
    }

    @Test
    void writesNothingWhenNothingChanged() throws Exception {
        ready(VG1, VG2);
        site.server.faults().forgetRequests();
        // A label makes a pass, and that pass has nothing to do.
        site.edit("{'metadata':{'labels':{'pass':'1'}}}");
        site.edit("{'metadata':{'labels':{'pass':'2'}}}");
        site.report("n1", "Degraded");
        site.awaitState("Degraded");
        var writes =
                site.server.faults().requests().stream()
                        .filter(r -> !r.method().equals("GET"))
                        .filter(r -> "lvms-operator".equals(r.query().get("fieldManager")))
                        .map(r -> r.method() + " " + r.target())
                        .toList();
        assertEquals(
                List.of(
                        "PATCH /apis/lvm.topolvm.io/v1alpha1/namespaces/lvms-system"
                                + "/lvmclusters/my/status"),
                writes);
    }

    @Test
    void putsBackWhatSomebodyChanged() throws Exception {
        ready(VG1);
        site.kube
                .withFieldManager("kubectl")
                .mergePatch(
                        Types.DAEMON_SET,
                        AGENT,
                        Clusters.tree("{'spec':{'template':{'spec':{'hostPID':false}}}}"));
        site.awaitObject(
                Types.DAEMON_SET,
                AGENT,
                d -> d.flag("spec", "template", "spec", "hostPID").orElse(false));
        site.delete(Types.STORAGE_CLASS, storageClass("vg1"));
        site.awaitObject(Types.STORAGE_CLASS, storageClass("vg1"), _ -> true);
    }

    @Test
    void anotherOperatorGoesOnWhereOneStopped() throws Exception {
        ready(VG1);
        var before = site.kube.get(Types.DAEMON_SET, AGENT).toJson();
        site.stopOperator();
        site.startOperator();
        site.report("n1", "Degraded");
        site.awaitState("Degraded");
        assertEquals(before, site.kube.get(Types.DAEMON_SET, AGENT).toJson());
    }
}
