package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** What another installation left or still serves: taken over, waited for, or left alone. */
class OtherInstallationTests extends ClusterCase {
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
                                    + "'spec':{'default':true,'deviceSelector':{'paths':["
                                    + "'/dev/vda']},'thinPoolConfig':{'name':'thin-pool-1',"
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
                                        + "'annotations':{"
                                        + "'wiped.devices.lvms.openshift.io/n1':'then'}},"
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
}
