package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A backup tool reads a user's snapshot from a namespace of its own, as Velero's data mover does: a
 * VolumeSnapshotContent with the handle of the user's, a claim from it, and a pod that names no
 * node.
 */
@FullOnly("CopyTests and the integration tests of that name have its parts")
class BackupToolTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String SIZE = "320Mi";

    private Sandbox tool;

    @BeforeEach
    void open() throws Exception {
        tool = Sandbox.open(product(), "tool");
    }

    @AfterEach
    void tidyUp() throws Exception {
        tool.clear();
        product().kube().delete(Types.VOLUME_SNAPSHOT_CONTENT, content(), DeleteOptions.any());
    }

    private ObjectKey content() {
        return ObjectKey.cluster(tool.namespace());
    }

    private String writeAndSnapshot() throws Exception {
        box().start(Claim.of("app", Product.THIN_CLASS, SIZE));
        var written = box().write("app", FILE, MIB);
        box().snapshot("snap", "app");
        box().write("app", FILE, MIB);
        return written;
    }

    /** Makes what leads from a handle to a claim that a pod of the tool's namespace can have. */
    private void expose(String handle, String policy) throws Exception {
        var spec =
                """
                driver: topolvm.io
                deletionPolicy: %s
                source: {snapshotHandle: %s}
                volumeSnapshotRef: {namespace: %s, name: snap}
                """
                        .formatted(policy, handle, tool.namespace());
        product()
                .kube()
                .create(
                        Types.VOLUME_SNAPSHOT_CONTENT,
                        KubeObject.create(Types.VOLUME_SNAPSHOT_CONTENT, content())
                                .with(Yaml.read(spec), "spec"));
        tool.create(
                Types.VOLUME_SNAPSHOT,
                "snap",
                "spec: {source: {volumeSnapshotContentName: " + content().name() + "}}");
        tool.awaitSnapshot("snap");
        tool.create(Claim.of("copy", Product.THIN_CLASS, SIZE).ofSnapshot("snap"));
    }

    private void requireReads(Pod mover, String written) throws Exception {
        tool.create(mover);
        tool.awaitReady(mover.name());
        assertEquals(written, tool.checksum(mover.name(), FILE, MIB));
        assertEquals(box().nodeOf("app"), tool.nodeOf(mover.name()));
    }

    private void removeCopy(String mover) throws Exception {
        var volume = tool.volumeOf("copy");
        tool.remove(Types.POD, mover);
        tool.remove(Types.PVC, "copy");
        awaitGone(Types.PV, volume);
        tool.remove(Types.VOLUME_SNAPSHOT, "snap");
    }

    private void removeContent(KubeObject content) throws Exception {
        product().kube().delete(Types.VOLUME_SNAPSHOT_CONTENT, content.key(), DeleteOptions.any());
        awaitGone(Types.VOLUME_SNAPSHOT_CONTENT, content);
    }

    private static String handle(KubeObject content) {
        return content.text("status", "snapshotHandle").orElseThrow();
    }

    private static long snapshots() throws Exception {
        return product().all(LogicalVolume.TYPE).stream()
                .map(LogicalVolume::of)
                .filter(LogicalVolume::isSnapshot)
                .count();
    }

    @Test
    void aToolThatRetainsReadsItAndLeavesTheUsersSnapshot() throws Exception {
        var written = writeAndSnapshot();
        expose(handle(box().contentOf("snap")), "Retain");
        requireReads(Pod.of("mover").publishReadOnly("data", "copy"), written);
        var refusal = tool.run("mover", "touch /data/other 2>&1 || true");
        assertTrue(refusal.contains("Read-only file system"), refusal);
        var content = tool.contentOf("snap");
        removeCopy("mover");
        removeContent(content);
        requireAgreement();
        box().start(Claim.of("restored", Product.THIN_CLASS, SIZE).ofSnapshot("snap"));
        assertEquals(written, box().checksum("restored", FILE, MIB));
        var users = box().contentOf("snap");
        box().remove(Types.VOLUME_SNAPSHOT, "snap");
        awaitGone(Types.VOLUME_SNAPSHOT_CONTENT, users);
    }

    /** Velero's order: the user's objects are gone before the tool reads. */
    @Test
    void aSnapshotThatTheToolTookOverGoesWithTheTool() throws Exception {
        var written = writeAndSnapshot();
        var users = box().contentOf("snap");
        product()
                .kube()
                .mergePatch(
                        Types.VOLUME_SNAPSHOT_CONTENT,
                        users.key(),
                        Yaml.read("spec: {deletionPolicy: Retain}").asObject());
        box().remove(Types.VOLUME_SNAPSHOT, "snap");
        removeContent(users);
        assertEquals(1, snapshots());
        expose(handle(users), "Delete");
        requireReads(Pod.with("mover", "copy"), written);
        var content = tool.contentOf("snap");
        removeCopy("mover");
        awaitGone(Types.VOLUME_SNAPSHOT_CONTENT, content);
        assertEquals(0, snapshots());
        requireAgreement();
    }
}
