package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/**
 * What people write into an LVMCluster: followed, refused with everything as it was, or waited for.
 */
class ClusterEditTests extends ClusterCase {
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
}
