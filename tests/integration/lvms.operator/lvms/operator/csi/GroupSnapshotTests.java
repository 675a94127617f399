package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.stream.Collectors;

/**
 * A VolumeGroupSnapshotContent gets its snapshots, as from csi-snapshotter, and takes them along.
 */
class GroupSnapshotTests {
    private static final long GIB = 1L << 30;
    private static final ObjectKey CONTENT = ObjectKey.cluster("groupsnapcontent-1");
    private static final String PREFIX = "groupsnapshot.storage.kubernetes.io/";

    private static DriverCluster withClaims() throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        for (var name : new String[] {"data", "log"}) {
            cluster.createClaim(name, "fast", "1Gi", "");
            cluster.awaitBound(name);
        }
        return cluster;
    }

    private static void serve(DriverCluster cluster) throws Exception {
        cluster.define(
                Path.of("tests/lab/resources/group-snapshot-crds.yaml"),
                Types.VOLUME_GROUP_SNAPSHOT_CONTENT);
    }

    /** As the snapshot-controller does. */
    private static void ask(DriverCluster cluster, String policy) throws Exception {
        var handles =
                cluster.volumes().stream()
                        .map(volume -> "'" + volume.status().volumeId() + "'")
                        .collect(Collectors.joining(","));
        cluster.create(
                Types.VOLUME_GROUP_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'"
                        + CONTENT.name()
                        + "'},'spec':{'driver':'topolvm.io','deletionPolicy':'"
                        + policy
                        + "','source':{'volumeHandles':["
                        + handles
                        + "]},'volumeGroupSnapshotRef':"
                        + "{'namespace':'default','name':'g','uid':'u1'}}}");
    }

    private static KubeObject content(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.VOLUME_GROUP_SNAPSHOT_CONTENT, CONTENT);
    }

    private static void awaitReady(DriverCluster cluster) throws Exception {
        cluster.await(
                "the group is ready",
                () ->
                        content(cluster).flag("status", "readyToUse").orElse(false)
                                && content(cluster).annotations().isEmpty());
    }

    private static void remove(DriverCluster cluster) throws Exception {
        cluster.kube.mergePatch(
                Types.VOLUME_GROUP_SNAPSHOT_CONTENT,
                CONTENT,
                DriverCluster.object(
                        "{'metadata':{'annotations':{'"
                                + PREFIX
                                + "volumegroupsnapshot-being-deleted':'yes'}}}"));
        cluster.delete(Types.VOLUME_GROUP_SNAPSHOT_CONTENT, CONTENT);
        cluster.await(
                "the content is gone",
                () -> cluster.kube.find(Types.VOLUME_GROUP_SNAPSHOT_CONTENT, CONTENT).isEmpty());
    }

    @Test
    void aGroupIsTakenOnceTheTypeIsServedAndGoesWithItsContent() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            ask(cluster, "Delete");
            awaitReady(cluster);
            var status = content(cluster).object("status").orElseThrow();
            assertEquals("groupsnapshot-u1", status.text("volumeGroupSnapshotHandle").orElse(""));
            assertTrue(status.text("creationTime").isPresent());
            var snapshots = new HashSet<String>();
            for (ObjectTree member : status.objects("volumeSnapshotInfoList")) {
                assertEquals(GIB, member.number("restoreSize").orElse(0));
                assertTrue(member.flag("readyToUse").orElse(false));
                snapshots.add(member.text("snapshotHandle").orElse(""));
            }
            assertEquals(
                    cluster.volumes().stream()
                            .filter(LogicalVolume::isSnapshot)
                            .map(volume -> volume.status().volumeId())
                            .collect(Collectors.toSet()),
                    snapshots);
            assertEquals(2, snapshots.size());
            remove(cluster);
            assertEquals(2, cluster.volumes().size());
        }
    }

    @Test
    void retainedSnapshotsStay() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            ask(cluster, "Retain");
            awaitReady(cluster);
            remove(cluster);
            assertEquals(4, cluster.volumes().size());
        }
    }

    @Test
    void aGroupThatIsGivenUpWhileItIsMadeLeavesNothing() throws Exception {
        try (var cluster = withClaims()) {
            cluster.agent.hold();
            serve(cluster);
            ask(cluster, "Delete");
            cluster.await("it was begun", () -> cluster.volumes().size() == 4);
            cluster.agent.resume();
            remove(cluster);
            cluster.await("no snapshot is left", () -> cluster.volumes().size() == 2);
        }
    }

    /** What nobody uses costs nothing. */
    @Test
    @OursAlone("on a real server the definition of the tests before is still there")
    void withoutTheTypeNobodyAsksForIt() throws Exception {
        try (var cluster = withClaims()) {
            assertTrue(
                    cluster.server.faults().requests().stream()
                            .noneMatch(
                                    request ->
                                            request.target().contains("groupsnapshot.storage")
                                                    && !request.target()
                                                            .contains(
                                                                    "customresourcedefinitions")));
        }
    }
}
