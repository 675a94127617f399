package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

/**
 * A user keeps the objects of a volume as files, loses all of them, and makes them again: the new
 * objects have the old volume with its data.
 */
@FullOnly("adoption and volumes found again are in the integration tests")
class RestoreTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String AWAY =
            "metadata: {finalizers: null, annotations: {topolvm.io/pendingdeletion: 'true'}}";

    @Test
    @Safety(14)
    void objectsFromABackupHaveTheirThinVolumeAgain() throws Exception {
        restore(Product.THIN_CLASS);
    }

    @Test
    @Safety(14)
    void objectsFromABackupHaveTheirThickVolumeAgain() throws Exception {
        restore(Product.THICK_CLASS);
    }

    private void restore(String storageClass) throws Exception {
        box().start(Claim.of("app", storageClass, "320Mi"));
        var written = box().write("app", FILE, MIB);
        var claim = box().find(Types.PVC, "app").orElseThrow();
        var volume = box().volumeOf("app");
        var logical = box().logicalVolumeOf("app");
        box().remove(Types.POD, "app");
        lose(claim, volume, logical);

        create(Types.PV, bare(volume).without("spec", "claimRef", "uid"));
        create(LogicalVolume.TYPE, bare(logical.object()));
        create(Types.PVC, bare(claim).without("metadata", "annotations"));
        box().create(Pod.with("app", "app"));
        box().awaitReady("app");
        assertEquals(written, box().checksum("app", FILE, MIB));
        var again = box().logicalVolumeOf("app");
        assertNotEquals(logical.uid(), again.uid());
        assertEquals(logical.status().volumeId(), again.status().volumeId());
    }

    /** Deletes them as an etcd that is lost does: no agent and no operator gets to act on it. */
    private void lose(KubeObject claim, KubeObject volume, LogicalVolume logical) throws Exception {
        var kube = product().kube();
        kube.mergePatch(LogicalVolume.TYPE, logical.object().key(), Yaml.read(AWAY).asObject());
        kube.delete(LogicalVolume.TYPE, logical.object().key(), DeleteOptions.any());
        awaitGone(LogicalVolume.TYPE, logical.object());
        box().remove(Types.PVC, claim.name());
        awaitGone(Types.PV, volume); // its volume is gone already, as far as the operator knows
    }

    private static void create(ResourceType type, KubeObject object) throws Exception {
        product().kube().create(type, object);
    }

    /** Removes what the server sets, as everybody does who makes objects again from files. */
    private static KubeObject bare(KubeObject object) {
        return object.without("metadata", "uid")
                .without("metadata", "resourceVersion")
                .without("metadata", "creationTimestamp")
                .without("metadata", "managedFields")
                .without("status");
    }
}
