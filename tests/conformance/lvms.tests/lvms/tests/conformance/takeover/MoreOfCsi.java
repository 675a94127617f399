package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

/** What sidecars ask a driver for besides the life of a volume. */
record MoreOfCsi(Product product, Sandbox box) {
    private static final String SIZE = "64Mi";

    void all() throws Exception {
        block();
        immediate();
        retained();
        attributes();
    }

    private void block() throws Exception {
        box.start(Claim.of("block", TopolvmSite.THICK_CLASS, SIZE).block());
        var bytes = box.write("block", "/dev/data", 4);
        assertEquals(bytes, box.checksum("block", "/dev/data", 4));
        remove("block");
    }

    /** Nobody has chosen a node, so the sidecar chooses. */
    private void immediate() throws Exception {
        var name = box.storageClass("now", TopolvmSite.THICK, "ext4", "Immediate");
        box.create(Claim.of("now", name, SIZE));
        box.awaitBound("now");
        box.remove(Types.PVC, "now");
    }

    /** The volume outlives its claim, and its data with it. */
    private void retained() throws Exception {
        box.start(Claim.of("kept", TopolvmSite.THICK_CLASS, SIZE));
        var volume = box.volumeOf("kept");
        var logical = box.logicalVolumeOf("kept");
        policy(volume, "Retain");
        remove("kept");
        box.patience()
                .until(
                        "the volume is released",
                        () ->
                                product.kube()
                                        .get(Types.PV, volume.key())
                                        .text("status", "phase")
                                        .filter("Released"::equals)
                                        .isPresent());
        var node = product.cluster().node(logical.spec().nodeName());
        assertTrue(
                node.shell("lvs --noheadings --options lv_name myvg1")
                        .contains(logical.status().volumeId()));
        policy(volume, "Delete");
        awaitGone(volume);
    }

    private void policy(KubeObject volume, String policy) throws Exception {
        product.kube()
                .mergePatch(
                        Types.PV,
                        volume.key(),
                        Yaml.read("spec: {persistentVolumeReclaimPolicy: " + policy + "}")
                                .asObject());
    }

    private void awaitGone(KubeObject volume) throws Exception {
        box.patience()
                .until(
                        volume.name() + " is gone",
                        () -> product.kube().find(Types.PV, volume.key()).isEmpty());
    }

    /** A class of attributes is given to a volume in use. */
    private void attributes() throws Exception {
        var key = ObjectKey.cluster(box.namespace() + "-ahead");
        product.kube()
                .create(
                        Types.VOLUME_ATTRIBUTES_CLASS,
                        KubeObject.create(Types.VOLUME_ATTRIBUTES_CLASS, key)
                                .with("topolvm.io", "driverName")
                                .with(Yaml.read("{topolvm.io/read-ahead: 256Ki}"), "parameters"));
        box.start(Claim.of("ahead", TopolvmSite.THICK_CLASS, SIZE));
        var logical = box.logicalVolumeOf("ahead");
        product.kube()
                .mergePatch(
                        Types.PVC,
                        ObjectKey.of(box.namespace(), "ahead"),
                        Yaml.read("spec: {volumeAttributesClassName: " + key.name() + "}")
                                .asObject());
        box.patience()
                .untilNothingMissing(
                        "the claim has its attributes",
                        () -> {
                            var claim = box.find(Types.PVC, "ahead").orElseThrow();
                            return claim.text("status", "currentVolumeAttributesClassName")
                                            .filter(key.name()::equals)
                                            .isPresent()
                                    ? ""
                                    : claim.object("status").toString();
                        });
        var node = product.cluster().node(logical.spec().nodeName());
        assertEquals(
                "512",
                node.shell("blockdev --getra /dev/myvg1/" + logical.status().volumeId()).strip());
        remove("ahead");
        product.kube().delete(Types.VOLUME_ATTRIBUTES_CLASS, key, DeleteOptions.any());
    }

    private void remove(String name) throws Exception {
        box.remove(Types.POD, name);
        box.remove(Types.PVC, name);
    }
}
