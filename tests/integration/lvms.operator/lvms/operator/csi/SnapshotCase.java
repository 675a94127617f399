package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

/** A cluster with a claim {@code data} and what a user does to get its snapshot {@code snap}. */
abstract class SnapshotCase {
    static final long GIB = 1L << 30;
    static final String FROM_SNAPSHOT =
            ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
                    + "'name':'snap'}";

    static DriverCluster withClaim() throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.awaitBound("data");
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.io','deletionPolicy':'Delete'}");
        return cluster;
    }

    static void cut(DriverCluster cluster) throws Exception {
        cut(cluster, "data");
    }

    static void cut(DriverCluster cluster, String claim) throws Exception {
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'default','name':'snap'},'spec':{"
                        + "'volumeSnapshotClassName':'snaps','source':{"
                        + "'persistentVolumeClaimName':'%s'}}}".formatted(claim));
    }

    static KubeObject snapshot(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.VOLUME_SNAPSHOT, claim("snap"));
    }

    static void awaitReady(DriverCluster cluster) throws Exception {
        cluster.await(
                "the snapshot is ready",
                () -> snapshot(cluster).flag("status", "readyToUse").orElse(false));
    }

    static KubeObject content(DriverCluster cluster) throws Exception {
        return cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).getFirst();
    }
}
