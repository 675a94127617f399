package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The life of an LVMCluster, from a file that somebody applies to the last object that goes. */
class ClusterLifeTests extends ClusterCase {
    private static final String VG2 =
            "{'name':'vg2','deviceSelector':{'paths':['/dev/vdb']},"
                    + "'storageClassOptions':{'reclaimPolicy':'Retain'}}";
    private static final ObjectKey AGENT = ObjectKey.of(NAMESPACE, "vg-manager");
    private static final ObjectKey DRIVER = ObjectKey.cluster("topolvm.io");

    private static ObjectKey storageClass(String deviceClass) {
        return ObjectKey.cluster("lvms-" + deviceClass);
    }

    private String classes(String... deviceClasses) {
        return "{'spec':{'storage':{'deviceClasses':[" + String.join(",", deviceClasses) + "]}}}";
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
    void anAccountMadeAnewStartsTheAgentsAnew() throws Exception {
        var agents = ObjectKey.of(NAMESPACE, "vg-manager");
        site.createObject(Types.SERVICE_ACCOUNT, agents, "{}");
        ready(VG1);
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, agents).uid());
        deleteWithAVolume();
        site.delete(Types.SERVICE_ACCOUNT, agents);
        site.createObject(Types.SERVICE_ACCOUNT, agents, "{}");
        site.edit("{'metadata':{'annotations':{'touched':'yes'}}}");
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, agents).uid());
    }

    private void awaitTokensOf(String account) throws Exception {
        site.awaitObject(
                Types.DAEMON_SET,
                AGENT,
                d ->
                        d.textMap("spec", "template", "metadata", "annotations")
                                .getOrDefault("topolvm.io/service-account-uid", "")
                                .equals(account));
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
                        "PATCH"
                            + " /apis/lvm.topolvm.io/v1alpha1/namespaces/lvms-system/lvmclusters/my/status"),
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

    @Test
    void takesTheDaemonSetOfThePredecessorOver() throws Exception {
        var old = predecessorsDaemonSet();
        site.kube.withFieldManager("lvms").create(Types.DAEMON_SET, old);
        ready(VG1);
        var now = site.kube.get(Types.DAEMON_SET, AGENT);
        assertEquals( // the predecessor's pods do not start without it
                List.of(true),
                now.objects("spec", "template", "spec", "volumes").stream()
                        .filter(volume -> volume.text("name").orElse("").equals("metrics-cert"))
                        .map(volume -> volume.flag("secret", "optional").orElse(false))
                        .toList());
        assertFalse(now.toJson().contains("GOMEMLIMIT"));
        assertEquals(old.textMap("spec", "selector", "matchLabels"), now.labels());
        assertTrue(now.toJson().contains("localhost/lvms:test"));
    }

    private static KubeObject predecessorsDaemonSet() {
        var labels =
                "{'app.kubernetes.io/name':'vg-manager',"
                        + "'app.kubernetes.io/managed-by':'lvms-operator',"
                        + "'app.kubernetes.io/part-of':'lvms-provisioner',"
                        + "'app.kubernetes.io/component':'vg-manager'}";
        return Clusters.object(
                "{'apiVersion':'apps/v1','kind':'DaemonSet',"
                        + "'metadata':{'name':'vg-manager','namespace':'lvms-system','labels':"
                        + labels
                        + "},'spec':{'selector':{'matchLabels':"
                        + labels
                        + "},'template':{'metadata':{'labels':"
                        + labels
                        + "},'spec':{'volumes':[{'name':'metrics-cert','secret':"
                        + "{'secretName':'vg-manager-metrics-cert'}}],"
                        + "'containers':[{'name':'vg-manager','image':'old',"
                        + "'env':[{'name':'GOMEMLIMIT','value':'45MiB'}],"
                        + "'volumeMounts':[{'name':'metrics-cert','mountPath':'/certs'}]}]}}}}");
    }

    @Test
    void adoptsTheVolumeGroupsOfThePredecessorWithTheirMarks() throws Exception {
        site.kube
                .withFieldManager("lvms")
                .create(
                        LvmVolumeGroup.TYPE,
                        Clusters.object(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMVolumeGroup',"
                                    + "'metadata':{'name':'vg1','namespace':'lvms-system',"
                                    + "'annotations':{'wiped.devices.lvms.openshift.io/n1':'then'},"
                                    + "'finalizers':['cleanup.vgmanager.node.topolvm.io/n1',"
                                    + "'lvm.openshift.io/lvmvolumegroup']},"
                                    + "'spec':{'default':true,'deviceSelector':{'paths':['/dev/vda']},"
                                    + "'thinPoolConfig':{'name':'thin-pool-1',"
                                    + "'overprovisionRatio':10}}}"));
        ready(VG1);
        var group =
                site.awaitObject(
                        LvmVolumeGroup.TYPE, group("vg1"), g -> g.finalizers().size() == 1);
        assertEquals(List.of("cleanup.vgmanager.node.topolvm.io/n1"), group.finalizers());
        assertTrue(group.annotations().containsKey("wiped.devices.lvms.openshift.io/n1"));
        assertEquals(site.cluster().object().uid(), group.ownerReferences().getFirst().uid());
    }

    @Test
    void aFieldThatAUserDropsAfterATakeOverGoes() throws Exception {
        var optional = VG1.replace("['/dev/vda']", "['/dev/vda'],'optionalPaths':['/dev/vdb']");
        site.kube
                .withFieldManager("lvms")
                .create(
                        LvmVolumeGroup.TYPE,
                        Clusters.object(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMVolumeGroup',"
                                    + "'metadata':{'name':'vg1','namespace':'lvms-system',"
                                    + "'annotations':{'wiped.devices.lvms.openshift.io/n1':'then'}},"
                                    + "'spec':{'default':true,'deviceSelector':{"
                                    + "'paths':['/dev/vda'],'optionalPaths':['/dev/vdb']},"
                                    + "'thinPoolConfig':{'name':'thin-pool-1',"
                                    + "'overprovisionRatio':10}}}"));
        ready(optional);
        site.edit(classes(VG1));
        var group =
                site.awaitObject(
                        LvmVolumeGroup.TYPE,
                        group("vg1"),
                        g -> g.list("spec", "deviceSelector", "optionalPaths").isEmpty());
        assertEquals("then", group.annotation("wiped.devices.lvms.openshift.io/n1").orElse(""));
    }

    @Test
    void anEditReachesTheVolumeGroup() throws Exception {
        ready(VG1);
        site.edit(
                classes(VG1.replace(":10", ":20").replace("'/dev/vda'", "'/dev/vda','/dev/vdc'")));
        var group =
                site.awaitObject(
                        LvmVolumeGroup.TYPE,
                        group("vg1"),
                        g -> g.list("spec", "deviceSelector", "paths").size() == 2);
        assertEquals(
                20, group.number("spec", "thinPoolConfig", "overprovisionRatio").orElseThrow());
    }

    @Test
    void aBadEditIsRefusedAndEverythingStaysAsItWas() throws Exception {
        ready(VG1);
        site.edit(classes(VG1.replace("thin-pool-1", "other"), VG2));
        var cluster = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "SpecRejected");
        assertEquals("Failed", cluster.status().state());
        assertEquals(
                "device class \"vg1\": thinPoolConfig.name cannot be changed",
                cluster.object().condition(Names.CONDITION_RESOURCES).orElseThrow().message());
        site.awaitEvent("my", "SpecRejected");
        assertEquals(1, site.groups().size());
        assertEquals(
                "thin-pool-1",
                site.groups().getFirst().text("spec", "thinPoolConfig", "name").orElseThrow());
        site.edit(classes(VG1));
        site.awaitState("Ready");
    }

    @Test
    void theSchemaRefusesWhatItCan() throws Exception {
        ready(VG1);
        assertThrows(
                ApiException.Invalid.class,
                () -> site.edit(classes(VG1.replace("'default'", "'fstype':'ext4','default'"))));
    }

    @Test
    void twoDefaultsAreRefusedBeforeAnythingIsMade() throws Exception {
        site.node("n1");
        site.startOperator();
        site.create(cluster(VG1, VG2.replace("'name'", "'default':true,'name'")));
        var cluster = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "SpecRejected");
        assertEquals("Failed", cluster.status().state());
        assertTrue(cluster.object().finalizers().isEmpty());
        assertTrue(site.groups().isEmpty());
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isEmpty());
        site.delete(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
    }

    @Test
    void noDefaultIsAcceptedWithAWarning() throws Exception {
        ready(VG2);
        var event = site.awaitEvent("my", "SpecWarning");
        assertTrue(event.text("note").orElseThrow().contains("no default device class"));
    }

    @Test
    void aSecondClusterIsRefusedAndTheFirstGoesOn() throws Exception {
        ready(VG1);
        var second =
                cluster(VG2).object().with("second", "metadata", "name").without("metadata", "uid");
        site.kube.create(LvmCluster.TYPE, second.without("metadata", "generation"));
        var key = ObjectKey.of(NAMESPACE, "second");
        var refused = site.awaitReason(key, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(refused.object().toJson().contains("lvms-system/my"));
        site.awaitEvent("second", "SpecRejected");
        assertTrue(site.cluster().status().ready());
        assertEquals(1, site.groups().size());
    }

    @Test
    void waitsForTheDriverOfAnotherInstallationToGoAndLeavesItAlone() throws Exception {
        site.node("n1");
        site.createObject(
                Types.CSI_DRIVER,
                DRIVER,
                "{'metadata':{'name':'topolvm.io',"
                        + "'labels':{'app.kubernetes.io/managed-by':'Helm'}},"
                        + "'spec':{'attachRequired':false}}");
        site.startOperator();
        site.create(cluster(VG1));
        var waiting = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "DriverConflict");
        assertEquals("Failed", waiting.status().state());
        assertTrue(waiting.object().toJson().contains("app.kubernetes.io/managed-by=Helm"));
        site.awaitEvent("my", "DriverConflict");
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isEmpty());
        site.delete(Types.CSI_DRIVER, DRIVER);
        Site.await("groups", () -> site.groups().size() == 1);
        site.rollOut(1);
        site.report("n1", "Ready");
        site.awaitState("Ready");
    }

    @Test
    void twoLvmsInTwoNamespacesDoNotServeOneDriver() throws Exception {
        site.node("n1");
        site.namespace("openshift-storage");
        var theirs =
                LvmCluster.of(
                        site.kube.create(
                                LvmCluster.TYPE,
                                cluster(VG1)
                                        .object()
                                        .with("openshift-storage", "metadata", "namespace")
                                        .without("metadata", "uid")
                                        .without("metadata", "generation")));
        site.createObject(Types.CSI_DRIVER, DRIVER, "{'spec':{'attachRequired':false}}");
        label(Names.ownedBy(theirs));
        site.startOperator();
        site.create(cluster(VG1));
        var waiting = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "DriverConflict");
        assertTrue(
                waiting.object().toJson().contains("belongs to LVMCluster openshift-storage/my"),
                waiting.object().toJson());
        assertTrue(site.groups().isEmpty());
        site.delete(LvmCluster.TYPE, theirs.object().key());
        site.delete(Types.CSI_DRIVER, DRIVER);
        Site.await("groups", () -> site.groups().size() == 1);
    }

    private void label(Map<String, String> labels) throws Exception {
        var patch = MergePatch.of(site.kube.get(Types.CSI_DRIVER, DRIVER));
        for (var label : labels.entrySet()) {
            patch = patch.label(label.getKey(), label.getValue());
        }
        site.kube.mergePatch(Types.CSI_DRIVER, patch);
    }

    @Test
    void anEarlierGenerationThatIsStillAtWorkHoldsOursBack() throws Exception {
        ready(VG1);
        site.stopOperator();
        var old = predecessorsDaemonSet().with("topolvm-node", "metadata", "name");
        site.kube.create(Types.DAEMON_SET, old);
        site.startOperator();
        site.edit(classes(VG1, VG2));
        var waiting = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "DriverConflict");
        assertTrue(
                waiting.object().toJson().contains("lvms takeover run --from lvms"),
                waiting.object().toJson());
        assertEquals(1, site.groups().size());
    }

    @Test
    void deletionLeavesTheDriverOfAnotherInstallation() throws Exception {
        site.createObject(Types.CSI_DRIVER, DRIVER, "{'spec':{'attachRequired':false}}");
        site.startOperator();
        site.create(cluster(VG1));
        site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "DriverConflict");
        site.delete(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        assertTrue(site.kube.find(Types.CSI_DRIVER, DRIVER).isPresent());
    }

    @Test
    void aClusterInAnotherNamespaceIsRefused() throws Exception {
        site.namespace("elsewhere");
        site.startOperator();
        var astray =
                cluster(VG1)
                        .object()
                        .with("elsewhere", "metadata", "namespace")
                        .without("metadata", "uid")
                        .without("metadata", "generation");
        site.kube.create(LvmCluster.TYPE, astray);
        var key = ObjectKey.of("elsewhere", "my");
        var refused = site.awaitReason(key, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(refused.object().toJson().contains("invalid namespace"));
        assertTrue(site.kube.find(Types.CSI_DRIVER, DRIVER).isEmpty());
    }

    @Test
    void aClassLeavesWhenNobodyUsesIt() throws Exception {
        ready(VG1, VG2);
        var claim = ObjectKey.of("default", "c");
        site.createObject(
                Types.PVC,
                claim,
                "{'spec':{'storageClassName':'lvms-vg2','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}");
        site.edit(classes(VG1));
        var cluster =
                site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "ResourcesSyncIncomplete");
        assertTrue(cluster.object().toJson().contains("have to be deleted first: default/c"));
        assertTrue(site.kube.find(Types.STORAGE_CLASS, storageClass("vg2")).isPresent());
        site.delete(Types.PVC, claim);
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg2"), KubeObject::terminating);
        site.awaitGone(Types.STORAGE_CLASS, storageClass("vg2"));
        site.release("vg2", "n1");
        site.awaitGone(LvmVolumeGroup.TYPE, group("vg2"));
        site.report("n1", "Ready");
        site.awaitState("Ready");
    }

    @Test
    void aClassLeavesAfterItsStorageClass() throws Exception {
        ready(VG1, VG2);
        var held =
                site.kube.addFinalizer(
                        Types.STORAGE_CLASS,
                        site.kube.get(Types.STORAGE_CLASS, storageClass("vg2")),
                        "example.com/hold");
        site.edit(classes(VG1));
        site.awaitObject(
                LvmCluster.TYPE,
                CLUSTER,
                o ->
                        o.condition(Names.CONDITION_RESOURCES)
                                .filter(c -> c.message().contains("terminating: lvms-vg2"))
                                .isPresent());
        var group = site.kube.get(LvmVolumeGroup.TYPE, group("vg2"));
        assertFalse(group.terminating());
        site.kube.removeFinalizer(Types.STORAGE_CLASS, held, "example.com/hold");
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg2"), KubeObject::terminating);
    }

    @Test
    void labelsOfAClassComeAndGoWithItsSpec() throws Exception {
        var labelled =
                VG1.replace(
                        "'default'", "'storageClassOptions':{'additionalLabels':{%s}},'default'");
        ready(labelled.formatted("'team':'x','tier':'gold'"));
        site.kube
                .withFieldManager("kubectl")
                .mergePatch(
                        Types.STORAGE_CLASS,
                        storageClass("vg1"),
                        Clusters.tree("{'metadata':{'labels':{'theirs':'y'}}}"));
        site.edit(classes(labelled.formatted("'tier':'gold'")));
        var pruned =
                site.awaitObject(
                        Types.STORAGE_CLASS, storageClass("vg1"), c -> c.label("team").isEmpty());
        assertEquals(Optional.of("gold"), pruned.label("tier"));
        assertEquals(Optional.of("y"), pruned.label("theirs"));
        var applied =
                site.server.faults().requests().stream()
                        .filter(r -> r.target().endsWith("/storageclasses/lvms-vg1"))
                        .filter(r -> "lvms-operator".equals(r.query().get("fieldManager")))
                        .toList()
                        .getLast();
        assertEquals("true", applied.query().get("force"));
        assertTrue(applied.headers().get("content-type").startsWith("application/apply-patch"));
    }

    @Test
    void theDefaultClassCannotLeave() throws Exception {
        ready(VG1, VG2);
        site.edit(classes(VG2));
        var cluster = site.awaitReason(CLUSTER, Names.CONDITION_RESOURCES, "SpecRejected");
        assertTrue(cluster.object().toJson().contains("cannot delete default device class"));
        assertEquals(2, site.groups().size());
    }

    @Test
    void deletionWaitsForClaimsThenForRetainedVolumesThenForTheNodes() throws Exception {
        ready(VG1, VG2);
        var claim = ObjectKey.of("default", "c");
        site.createObject(
                Types.PVC,
                claim,
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}");
        var volume = ObjectKey.cluster("v");
        site.createObject(
                Types.PV,
                volume,
                "{'spec':{'storageClassName':'lvms-vg2','accessModes':['ReadWriteOnce'],"
                        + "'capacity':{'storage':'1Gi'},'persistentVolumeReclaimPolicy':'Retain',"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'}}}");
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("default/c");
        assertFalse(site.groups().stream().anyMatch(KubeObject::terminating));
        site.awaitEvent("my", "DeletionPending");
        site.delete(Types.PVC, claim);
        awaitDeletionWaits("retained");
        assertFalse(site.groups().stream().anyMatch(KubeObject::terminating));
        site.delete(Types.PV, volume);
        awaitDeletionWaits("LVMVolumeGroups are terminating: vg1 (nodes n1), vg2 (nodes n1)");
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        site.release("vg1", "n1");
        site.release("vg2", "n1");
        awaitDeletionWaits("still registered");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        for (var deviceClass : List.of("vg1", "vg2")) {
            site.awaitGone(LvmVolumeGroup.TYPE, group(deviceClass));
            site.awaitGone(Types.STORAGE_CLASS, storageClass(deviceClass));
        }
        site.awaitGone(Types.DAEMON_SET, AGENT);
        site.awaitGone(Types.CSI_DRIVER, DRIVER);
        for (var policy :
                List.of("lvms-operator-allow", "lvms-vg-manager-allow", "lvms-default-deny")) {
            site.awaitGone(Types.NETWORK_POLICY, ObjectKey.of(NAMESPACE, policy));
        }
    }

    @Test
    void deletionWaitsUntilTheServerSaysThatNobodyHasAClaim() throws Exception {
        ready(VG1);
        site.server.faults().answer(ClusterLifeTests::listsClaims, 1000, 500, "{}");
        site.server.faults().forgetRequests();
        site.delete(LvmCluster.TYPE, CLUSTER);
        Site.await(
                "it asks again",
                () ->
                        site.server.faults().requests().stream()
                                        .filter(ClusterLifeTests::listsClaims)
                                        .count()
                                > 2);
        assertFalse(site.groups().getFirst().terminating());
        site.server.faults().clear();
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), KubeObject::terminating);
    }

    private static boolean listsClaims(Faults.Seen request) {
        return request.target().endsWith("/persistentvolumeclaims")
                && !request.query().containsKey("watch");
    }

    /** Only an agent can blank the disks of its node. */
    @Test
    @Safety(39)
    void theAgentsComeBackWhileTheVolumeGroupsAreRemoved() throws Exception {
        site.createObject(Types.SERVICE_ACCOUNT, AGENT, "{}");
        ready(VG1);
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("LVMVolumeGroups are terminating: vg1 (nodes n1)");
        var before = site.kube.get(Types.DAEMON_SET, AGENT).uid();
        site.delete(Types.DAEMON_SET, AGENT);
        site.awaitObject(Types.DAEMON_SET, AGENT, d -> !d.uid().equals(before));
        site.delete(Types.SERVICE_ACCOUNT, AGENT);
        site.createObject(Types.SERVICE_ACCOUNT, AGENT, "{}");
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, AGENT).uid());
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(Types.DAEMON_SET, AGENT);
    }

    private void awaitDeletionWaits(String text) throws Exception {
        site.awaitObject(
                LvmCluster.TYPE,
                CLUSTER,
                o ->
                        o.condition(Names.CONDITION_RESOURCES)
                                .filter(c -> c.message().contains("waiting to be deleted"))
                                .filter(c -> c.message().contains(text))
                                .isPresent());
    }

    /** Deletes the cluster, which stays because of a volume on its node. */
    private void deleteWithAVolume() throws Exception {
        site.createObject(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-1"),
                "{'spec':{'name':'pvc-1','nodeName':'n1','deviceClass':'vg1','size':'1Gi'}}");
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("LogicalVolumes of device class vg1");
    }

    @Test
    void deletionWaitsForLogicalVolumesOfNodesThatExist() throws Exception {
        ready(VG1);
        deleteWithAVolume();
        assertFalse(site.groups().getFirst().terminating());
    }

    private void claim(String name, String metadata, String spec, String phase) throws Exception {
        var key = ObjectKey.of("default", name);
        site.createObject(
                Types.PVC,
                key,
                "{'metadata':{'name':'%s','namespace':'default'%s},".formatted(name, metadata)
                        + "'spec':{'accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}"
                        + spec
                        + "}}");
        var status = Clusters.tree("{'status':{'phase':'" + phase + "'}}");
        site.kube.mergePatchStatus(Types.PVC, key, status);
    }

    private void volume(String name, String metadata, String deviceClass) throws Exception {
        site.createObject(
                Types.PV,
                ObjectKey.cluster(name),
                "{'metadata':{'name':'%s'%s},".formatted(name, metadata)
                        + "'spec':{'storageClassName':'%s',".formatted(deviceClass)
                        + "'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'}}}");
    }

    @Test
    void hintsLeaveOthersAlone() throws Exception {
        var ours = ",'storageClassName':'lvms-vg1'";
        var held = ",'finalizers':['example.com/hold']";
        site.createObject(
                Types.STORAGE_CLASS,
                ObjectKey.cluster("foreign"),
                "{'provisioner':'example.com/other',"
                        + "'parameters':{'topolvm.io/device-class':'vg1'}}");
        claim("foreign", "", ",'storageClassName':'foreign'", "Pending");
        claim("without", "", ",'storageClassName':''", "Pending");
        claim("bound", "", ours + ",'volumeName':'v'", "Bound");
        claim("going", held, ours, "Pending");
        site.delete(Types.PVC, ObjectKey.of("default", "going"));
        volume("of-another-class", "", "foreign");
        volume("going-too", held, "lvms-vg1");
        site.delete(Types.PV, ObjectKey.cluster("going-too"));
        ready(VG1);
        claim("last", "", ours, "Pending");
        volume("last-too", "", "lvms-vg1");
        var note = site.awaitEvent("last", "NotEnoughCapacity").text("note").orElseThrow();
        assertTrue(note.endsWith("on any node"), note); // none says how much it has
        site.awaitEvent("last-too", "ClaimReferenceRemoved");
        for (var name : List.of("foreign", "without", "bound", "going")) {
            assertTrue(site.event(name, "NotEnoughCapacity").isEmpty(), name);
        }
        for (var name : List.of("of-another-class", "going-too")) {
            assertTrue(site.event(name, "ClaimReferenceRemoved").isEmpty(), name);
        }
    }

    @Test
    void hintsTellWhatPeopleCannotSee() throws Exception {
        ready(VG1);
        site.kube
                .withFieldManager("vg-manager")
                .mergePatch(
                        Types.NODE,
                        ObjectKey.cluster("n1"),
                        Clusters.tree(
                                "{'metadata':{'annotations':{'capacity.topolvm.io/vg1':'1024'}}}"));
        site.createObject(
                Types.PVC,
                ObjectKey.of("default", "big"),
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}},"
                        + "'status':{'phase':'Pending'}}");
        var event = site.awaitEvent("big", "NotEnoughCapacity");
        assertTrue(
                event.text("note")
                        .orElseThrow()
                        .contains("is greater than available capacity on any node"));
        site.createObject(
                Types.PV,
                ObjectKey.cluster("v"),
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'capacity':{'storage':'1Gi'},"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'topology.topolvm.io/node','operator':'In',"
                        + "'values':['n1']}]}]}}}}");
        site.awaitObject(
                Types.PV,
                ObjectKey.cluster("v"),
                v -> v.label(Names.HOSTNAME_LABEL).filter("n1"::equals).isPresent());
        assertTrue(
                site.awaitEvent("v", "ClaimReferenceRemoved")
                        .text("note")
                        .orElseThrow()
                        .startsWith("Claim reference has been removed"));
    }
}
