package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

/** Snapshots are cut, found, restored from and removed, beside their source. */
class SnapshotTests {
    private static final long GIB = 1L << 30;
    private static final String FROM_SNAPSHOT =
            ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
                    + "'name':'snap'}";

    private static DriverCluster withClaim() throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.awaitBound("data");
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.io','deletionPolicy':'Delete'}");
        return cluster;
    }

    private static void cut(DriverCluster cluster) throws Exception {
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'default','name':'snap'},'spec':{"
                        + "'volumeSnapshotClassName':'snaps','source':{"
                        + "'persistentVolumeClaimName':'data'}}}");
    }

    private static KubeObject snapshot(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.VOLUME_SNAPSHOT, claim("snap"));
    }

    private static void awaitReady(DriverCluster cluster) throws Exception {
        cluster.await(
                "the snapshot is ready",
                () -> snapshot(cluster).flag("status", "readyToUse").orElse(false));
    }

    private static KubeObject content(DriverCluster cluster) throws Exception {
        return cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).getFirst();
    }

    @Test
    void aSnapshotIsCutRestoredAndRemoved() throws Exception {
        try (var cluster = withClaim()) {
            cut(cluster);
            awaitReady(cluster);
            assertEquals(GIB, content(cluster).number("status", "restoreSize").orElseThrow());
            assertTrue(content(cluster).number("status", "creationTime").orElseThrow() > 0);
            cluster.await(
                    "the mark is off",
                    () ->
                            content(cluster).annotations().keySet().stream()
                                    .noneMatch(key -> key.endsWith("being-created")));

            cluster.createClaim("copy", "fast", "2Gi", FROM_SNAPSHOT);
            cluster.awaitBound("copy");
            cluster.await(
                    "the snapshot is free again",
                    () ->
                            snapshot(cluster).finalizers().stream()
                                    .noneMatch(f -> f.startsWith("provisioner.")));

            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await(
                    "its content is gone",
                    () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty());
            assertEquals(2, cluster.agent.made());
        }
    }

    @Test
    void aRestoreThatComesTooEarlyIsWokenByTheSnapshot() throws Exception {
        try (var cluster = withClaim()) {
            cluster.agent.hold();
            cut(cluster);
            cluster.createClaim("copy", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.awaitEvent("ProvisioningFailed");
            cluster.agent.resume();
            cluster.awaitBound("copy");
        }
    }

    @Test
    void aRestoreSmallerThanItsSnapshotIsRefused() throws Exception {
        try (var cluster = withClaim()) {
            cut(cluster);
            awaitReady(cluster);
            cluster.createClaim("copy", "fast", "512Mi", FROM_SNAPSHOT);
            var text = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(text.contains("smaller than its snapshot"), text);
        }
    }

    @Test
    void aFailedCutIsToldAndTriedAgain() throws Exception {
        try (var cluster = withClaim()) {
            cluster.agent.hold();
            cut(cluster);
            cluster.await("it was begun", () -> cluster.volumes().size() == 2);
            var name =
                    cluster.volumes().stream()
                            .filter(v -> v.isSnapshot())
                            .findFirst()
                            .orElseThrow();
            cluster.agent.failNext(name.name(), StatusCode.UNIMPLEMENTED);
            cluster.agent.resume();
            var text = cluster.awaitEvent("SnapshotCreationFailed");
            assertTrue(text.contains("injected"), text);
            awaitReady(cluster);
            assertTrue(content(cluster).object("status", "error").isEmpty());
        }
    }

    @Test
    void aSnapshotOfBeforeIsFoundByItsHandle() throws Exception {
        try (var cluster = withClaim()) {
            cut(cluster);
            awaitReady(cluster);
            var handle = content(cluster).text("status", "snapshotHandle").orElseThrow();
            cluster.create(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    "{'metadata':{'name':'given'},'spec':{'driver':'topolvm.io','deletionPolicy':"
                            + "'Retain','source':{'snapshotHandle':'"
                            + handle
                            + "'},'volumeSnapshotRef':{'namespace':'default','name':'old'}}}");
            cluster.await(
                    "it is ready",
                    () ->
                            cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).stream()
                                    .filter(c -> c.name().equals("given"))
                                    .anyMatch(c -> c.flag("status", "readyToUse").orElse(false)));
        }
    }
}
