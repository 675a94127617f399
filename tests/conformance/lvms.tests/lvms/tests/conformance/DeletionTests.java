package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

/** In whatever order things are deleted: what is in use stays, and in the end nothing is left. */
@FullOnly("chaos deletes in all orders on a real cluster")
class DeletionTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String SIZE = "320Mi";

    private static Claim thin(String name) {
        return Claim.of(name, Product.THIN_CLASS, SIZE);
    }

    @Test
    void aClaimDeletedBeforeItsPodLivesAsLongAsThePod() throws Exception {
        box().start(thin("app"));
        var volume = box().volumeOf("app");
        var written = box().write("app", FILE, MIB);
        box().delete(Types.PVC, "app");
        assertEquals(written, box().checksum("app", FILE, MIB));
        assertTrue(box().find(Types.PVC, "app").orElseThrow().terminating());
        box().remove(Types.POD, "app");
        box().awaitGone(Types.PVC, "app");
        awaitGone(Types.PV, volume);
    }

    @Test
    void aVolumeDeletedBeforeItsClaimLivesAsLongAsTheClaim() throws Exception {
        box().start(thin("app"));
        var volume = box().volumeOf("app");
        var written = box().write("app", FILE, MIB);
        product().kube().delete(Types.PV, volume.key(), DeleteOptions.any());
        assertEquals(written, box().checksum("app", FILE, MIB));
        box().remove(Types.POD, "app");
        assertTrue(product().kube().get(Types.PV, volume.key()).terminating());
        box().remove(Types.PVC, "app");
        awaitGone(Types.PV, volume);
    }

    @Test
    void aSnapshotOutlivesItsSource() throws Exception {
        box().start(thin("source"));
        var written = box().write("source", FILE, MIB);
        box().snapshot("snap", "source");
        var volume = box().volumeOf("source");
        box().remove(Types.POD, "source");
        box().remove(Types.PVC, "source");
        awaitGone(Types.PV, volume);
        requireAgreement();
        box().start(thin("restored").ofSnapshot("snap"));
        assertEquals(written, box().checksum("restored", FILE, MIB));
        box().remove(Types.VOLUME_SNAPSHOT, "snap");
        assertEquals(written, box().checksum("restored", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aCloneOutlivesItsSource() throws Exception {
        box().start(thin("source"));
        var written = box().write("source", FILE, MIB);
        box().start(thin("clone").ofClaim("source"));
        var volume = box().volumeOf("source");
        box().delete(Types.PVC, "source");
        box().remove(Types.POD, "source");
        awaitGone(Types.PV, volume);
        assertEquals(written, box().checksum("clone", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aClaimIsDeletedWhileItWaitsOrIsMade() throws Exception {
        box().create(thin("waits"));
        box().remove(Types.PVC, "waits");
        box().create(thin("made"));
        box().create(Pod.with("made", "made"));
        box().delete(Types.PVC, "made");
        box().delete(Types.POD, "made");
        box().awaitGone(Types.POD, "made");
        box().awaitGone(Types.PVC, "made");
        requireAgreement();
    }

    @Test
    void everythingIsDeletedAtOnce() throws Exception {
        box().start(thin("one"));
        box().snapshot("snap", "one");
        box().start(thin("two").ofSnapshot("snap"));
        box().start(thin("three").ofClaim("one"));
        box().start(Claim.of("four", Product.THICK_CLASS, "32Mi").block());
        // What follows each test, deletes pods, snapshots and claims without waiting between.
    }

    /** As long as a person keeps the data, its class stays; then nothing of it does. */
    @Test
    void aRetainedVolumeIsTakenByAnotherClaimAndGoesByHand() throws Exception {
        box().start(thick("first"));
        var written = box().write("first", FILE, MIB);
        var volume = box().volumeOf("first");
        var logical = box().logicalVolumeOf("first");
        patch(volume, "spec: {persistentVolumeReclaimPolicy: Retain}");
        release("first", volume);
        requireAgreement();
        product().applyThinAlone();
        awaitRefusal("retained PersistentVolumes of device class thick", volume.name());

        patch(volume, "spec: {claimRef: null}");
        var second =
                thick("second").object(box().namespace()).with(volume.name(), "spec", "volumeName");
        product().kube().create(Types.PVC, second);
        box().create(Pod.with("second", "second"));
        box().awaitReady("second");
        assertEquals(written, box().checksum("second", FILE, MIB));
        awaitRefusal("PersistentVolumeClaims of device class thick", box().namespace() + "/second");

        release("second", volume);
        product().kube().delete(Types.PV, volume.key(), DeleteOptions.any());
        awaitGone(Types.PV, volume);
        awaitRefusal("LogicalVolumes of device class thick", logical.name());
        product().applyCluster();
        product().kube().delete(LogicalVolume.TYPE, logical.object().key(), DeleteOptions.any());
        awaitGone(LogicalVolume.TYPE, logical.object());
        product().awaitReady();
    }

    private static Claim thick(String name) {
        return Claim.of(name, Product.THICK_CLASS, "64Mi");
    }

    private void release(String claim, KubeObject volume) throws Exception {
        box().remove(Types.POD, claim);
        box().remove(Types.PVC, claim);
        box().patience().until("the volume is released", () -> phase(volume).equals("Released"));
    }

    /** Waits until the LVMCluster says why a class that left its spec stays. */
    private static void awaitRefusal(String what, String name) throws Exception {
        var text = what + " have to be deleted first: " + name;
        product()
                .patience()
                .untilNothingMissing(
                        text,
                        () -> {
                            var cluster =
                                    product().kube().get(LvmCluster.TYPE, Product.LVM_CLUSTER);
                            var says = cluster.condition(Names.CONDITION_RESOURCES);
                            return says.filter(c -> c.message().contains(text)).isPresent()
                                    ? ""
                                    : says.toString();
                        });
    }

    private String phase(KubeObject volume) throws Exception {
        return product().kube().get(Types.PV, volume.key()).text("status", "phase").orElse("");
    }

    private void patch(KubeObject volume, String yaml) throws Exception {
        var patch = Yaml.read(yaml).asObject();
        product().kube().mergePatch(Types.PV, volume.key(), patch);
    }
}
