package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A backup tool reads a user's snapshot in a namespace of its own, by a VolumeSnapshotContent with
 * the same handle, as Velero's data mover does. Nothing of that may be left, and nothing of the
 * user's may be gone.
 */
@Lasts(seconds = 20)
class BackupToolTests extends SnapshotCase {
    private static final ObjectKey USERS_SNAPSHOT = claim("snap");
    private static final ObjectKey CONTENT = ObjectKey.cluster("tool");
    private static final ObjectKey SNAPSHOT = ObjectKey.of("backup", "snap");
    private static final ObjectKey COPY = ObjectKey.of("backup", "copy");

    private static DriverCluster withSnapshot() throws Exception {
        var cluster = withClaim();
        cluster.create(Types.NAMESPACE, "{'metadata':{'name':'backup'}}");
        cut(cluster);
        awaitReady(cluster);
        return cluster;
    }

    private static String handle(DriverCluster cluster) throws Exception {
        return content(cluster).text("status", "snapshotHandle").orElseThrow();
    }

    private static void read(DriverCluster cluster, String handle, String policy) throws Exception {
        cluster.create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                ("{'metadata':{'name':'tool'},'spec':{'driver':'topolvm.io','deletionPolicy':'%s',"
                                + "'source':{'snapshotHandle':'%s'},'volumeSnapshotRef':"
                                + "{'namespace':'backup','name':'snap'}}}")
                        .formatted(policy, handle));
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'backup','name':'snap'},'spec':{'source':"
                        + "{'volumeSnapshotContentName':'tool'}}}");
        cluster.createClaim(COPY, "fast", "1Gi", FROM_SNAPSHOT);
    }

    private static void awaitRead(DriverCluster cluster, String handle, String policy)
            throws Exception {
        read(cluster, handle, policy);
        cluster.awaitBound(COPY);
    }

    private static void tidyUp(DriverCluster cluster) throws Exception {
        cluster.remove(Types.PVC, COPY);
        cluster.remove(Types.VOLUME_SNAPSHOT, SNAPSHOT);
        if (cluster.kube.find(Types.VOLUME_SNAPSHOT_CONTENT, CONTENT).isPresent()) {
            cluster.remove(Types.VOLUME_SNAPSHOT_CONTENT, CONTENT);
        }
    }

    private static void removeUsers(DriverCluster cluster) throws Exception {
        cluster.remove(Types.VOLUME_SNAPSHOT, USERS_SNAPSHOT);
        cluster.remove(Types.PVC, claim("data"));
    }

    private static void awaitNothingLeft(DriverCluster cluster) throws Exception {
        cluster.awaitNothingLeft();
        assertEquals(0, cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).size());
        assertEquals(0, cluster.list(Types.VOLUME_SNAPSHOT).size());
    }

    @Test
    void aToolThatRetainsLeavesTheUsersSnapshotAsItWas() throws Exception {
        try (var cluster = withSnapshot()) {
            awaitRead(cluster, handle(cluster), "Retain");
            assertEquals(3, cluster.agent.made());
            tidyUp(cluster);
            cluster.await("the copy is gone", () -> cluster.agent.made() == 2);
            cluster.createClaim("restored", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.awaitBound("restored");
            cluster.remove(Types.PVC, claim("restored"));
            removeUsers(cluster);
            awaitNothingLeft(cluster);
        }
    }

    /**
     * It was asked to delete the snapshot; the objects of the user that are left go by themselves.
     */
    @Test
    void aToolThatDeletesTakesTheSnapshotAndNotTheVolume() throws Exception {
        try (var cluster = withSnapshot()) {
            awaitRead(cluster, handle(cluster), "Delete");
            tidyUp(cluster);
            cluster.await("copy and snapshot are gone", () -> cluster.agent.made() == 1);
            cluster.requireAlive("data");
            cluster.createClaim("restored", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.awaitEvent("ProvisioningFailed", "does not exist");
            cluster.remove(Types.PVC, claim("restored"));
            removeUsers(cluster);
            awaitNothingLeft(cluster);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Delete"})
    void aUserWhoIsFasterThanTheToolLeavesNothingEither(String policy) throws Exception {
        try (var cluster = withSnapshot()) {
            awaitRead(cluster, handle(cluster), policy);
            removeUsers(cluster);
            cluster.await("only the copy is left", () -> cluster.agent.made() == 1);
            tidyUp(cluster);
            awaitNothingLeft(cluster);
        }
    }

    /** Velero's order: it takes the snapshot over before it reads it, so nobody can delete it. */
    @Test
    void aSnapshotThatTheToolTookOverGoesWithTheTool() throws Exception {
        try (var cluster = withSnapshot()) {
            var handle = handle(cluster);
            var users = content(cluster).key();
            cluster.patch(
                    Types.VOLUME_SNAPSHOT_CONTENT, users, "{'spec':{'deletionPolicy':'Retain'}}");
            cluster.remove(Types.VOLUME_SNAPSHOT, USERS_SNAPSHOT);
            cluster.remove(Types.VOLUME_SNAPSHOT_CONTENT, users);
            awaitRead(cluster, handle, "Delete");
            tidyUp(cluster);
            cluster.await("copy and snapshot are gone", () -> cluster.agent.made() == 1);
            cluster.remove(Types.PVC, claim("data"));
            awaitNothingLeft(cluster);
        }
    }

    /** The copy has to be where the snapshot is; docs/operations.md says what to do. */
    @Test
    void aBackupWaitsWhileItsNodeGetsNoNewVolumes() throws Exception {
        try (var cluster = withSnapshot()) {
            cluster.createClass("waits", CapacityTests.WAIT);
            cluster.annotateNode(Names.NO_NEW_VOLUMES_ANNOTATION, "'*'");
            cluster.await("it is closed", () -> CapacityTests.capacity(cluster, "n1").equals("0"));
            read(cluster, handle(cluster), "Delete");
            cluster.awaitEvent("ProvisioningFailed", "node n1 gets no new volumes");
            cluster.annotateNode(Names.NO_NEW_VOLUMES_ANNOTATION, "null");
            cluster.awaitBound(COPY);
        }
    }
}
