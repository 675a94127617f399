package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;
import lvms.tests.server.OursAlone;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A VolumeGroupSnapshotContent gets its snapshots, as from csi-snapshotter, and takes them along.
 */
@Lasts(seconds = 35)
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
                Path.of("tests/lab/lvms.tests/resources/group-snapshot-crds.yaml"),
                Types.VOLUME_GROUP_SNAPSHOT_CONTENT);
    }

    private static void ask(DriverCluster cluster, String policy) throws Exception {
        ask(cluster, policy, "");
    }

    /** As the snapshot-controller does. */
    private static void ask(DriverCluster cluster, String policy, String fields) throws Exception {
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
                        + "]}"
                        + fields
                        + ",'volumeGroupSnapshotRef':"
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

    /** A content for each snapshot of the group, in the steps of the snapshot-controller. */
    private static List<ObjectKey> fanOut(DriverCluster cluster) throws Exception {
        var keys = new ArrayList<ObjectKey>();
        for (var member : content(cluster).objects("status", "volumeSnapshotInfoList")) {
            int number = keys.size();
            var key = ObjectKey.cluster("snapcontent-" + number);
            keys.add(key);
            cluster.create(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    ("{'metadata':{'name':'%s','annotations':{"
                                    + "'groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle':"
                                    + "'groupsnapshot-u1'}},'spec':{'driver':'topolvm.io',"
                                    + "'deletionPolicy':'Delete','source':{'volumeHandle':'%s'},"
                                    + "'volumeSnapshotRef':{'kind':'VolumeSnapshot',"
                                    + "'name':'m%d','namespace':'default'}}}")
                            .formatted(
                                    key.name(), member.text("volumeHandle").orElseThrow(), number));
            awaitSeen(cluster);
            merge(cluster, key, "{'spec':{'volumeSnapshotRef':{'uid':'m-u%d'}}}".formatted(number));
            awaitSeen(cluster);
            var status =
                    "{'status':{'snapshotHandle':'%s','volumeGroupSnapshotHandle':"
                            + "'groupsnapshot-u1','readyToUse':true,'restoreSize':%d}}";
            cluster.kube.mergePatchStatus(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    key,
                    DriverCluster.object(
                            status.formatted(member.text("snapshotHandle").orElseThrow(), GIB)));
        }
        return keys;
    }

    /** What came before has been seen once a content behind it, which nobody can make, failed. */
    private static void awaitSeen(DriverCluster cluster) throws Exception {
        var key = ObjectKey.cluster("barrier");
        cluster.create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'barrier'},'spec':{'driver':'topolvm.io',"
                        + "'deletionPolicy':'Retain','source':{'snapshotHandle':'none'},"
                        + "'volumeSnapshotRef':{'name':'none','namespace':'default'}}}");
        cluster.await(
                "the barrier was seen",
                () ->
                        cluster.kube
                                .get(Types.VOLUME_SNAPSHOT_CONTENT, key)
                                .text("status", "error", "message")
                                .isPresent());
        cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, key);
        cluster.await(
                "the barrier is gone",
                () -> cluster.kube.find(Types.VOLUME_SNAPSHOT_CONTENT, key).isEmpty());
    }

    private static void merge(DriverCluster cluster, ObjectKey key, String patch) throws Exception {
        cluster.kube.mergePatch(Types.VOLUME_SNAPSHOT_CONTENT, key, DriverCluster.object(patch));
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
            for (var method : List.of("Create", "Delete")) {
                cluster.awaitCalls("GroupController/" + method + "VolumeGroupSnapshot", "OK", 1);
            }
        }
    }

    /** A snapshot of its own for a member would be of another instant, and nobody's in the end. */
    @Test
    void theMembersContentsGetNoSnapshotOfTheirOwnAndTakeNoneAlong() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            ask(cluster, "Delete");
            awaitReady(cluster);
            var members = fanOut(cluster);
            awaitSeen(cluster);
            assertEquals(4, cluster.volumes().size());
            for (var key : members) {
                var member = cluster.kube.get(Types.VOLUME_SNAPSHOT_CONTENT, key);
                var handle = member.text("status", "snapshotHandle").orElse("");
                assertTrue(
                        content(cluster).objects("status", "volumeSnapshotInfoList").stream()
                                .anyMatch(
                                        info ->
                                                info.text("snapshotHandle")
                                                        .orElse("")
                                                        .equals(handle)),
                        handle);
                assertTrue(member.text("status", "error", "message").isEmpty());
                merge(
                        cluster,
                        key,
                        "{'metadata':{'annotations':{'"
                                + "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted"
                                + "':'yes'}}}");
                cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, key);
            }
            cluster.await(
                    "the members' contents are gone",
                    () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty());
            assertEquals(4, cluster.volumes().size());
            remove(cluster);
            assertEquals(2, cluster.volumes().size());
        }
    }

    private static String awaitError(DriverCluster cluster) throws Exception {
        cluster.await(
                "the content has an error",
                () -> content(cluster).text("status", "error", "message").isPresent());
        return content(cluster).text("status", "error", "message").orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'driver':'topolvm.io','parameters':{'csi.storage.k8s.io/secret':'x'} | has the"
                        + " unknown parameter csi.storage.k8s.io/secret; the prefix"
                        + " csi.storage.k8s.io/ is reserved",
                "'driver':'topolvm.io','parameters':{'csi.storage.k8s.io/group-snapshotter-secret-name':'x'}"
                    + " | must set csi.storage.k8s.io/group-snapshotter-secret-name and -namespace"
                    + " together",
                "'driver':'example.com' | is for driver example.com, not topolvm.io",
                " | does not exist",
            })
    void aClassThatNobodyCouldObeyIsRefusedAndNothingIsTaken(String fields, String why)
            throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            if (fields != null) {
                cluster.create(
                        Types.VOLUME_GROUP_SNAPSHOT_CLASS,
                        "{'metadata':{'name':'groups'},'deletionPolicy':'Delete'," + fields + "}");
            }
            ask(cluster, "Delete", ",'volumeGroupSnapshotClassName':'groups'");
            assertEquals(
                    "Failed to create group snapshot: VolumeGroupSnapshotClass groups " + why,
                    awaitError(cluster));
            assertEquals(2, cluster.volumes().size());
            remove(cluster);
        }
    }

    @Test
    void aClassOfOursIsObeyed() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            cluster.create(
                    Types.VOLUME_GROUP_SNAPSHOT_CLASS,
                    "{'metadata':{'name':'groups'},'driver':'topolvm.io','deletionPolicy':'Delete',"
                            + "'parameters':{'csi.storage.k8s.io/group-snapshotter-secret-name':"
                            + "'x','csi.storage.k8s.io/group-snapshotter-secret-namespace':'y'}}");
            ask(cluster, "Delete", ",'volumeGroupSnapshotClassName':'groups'");
            awaitReady(cluster);
            remove(cluster);
        }
    }

    /** A person adopts a group whose objects were lost, and may have noted the wrong snapshots. */
    @Test
    void aGivenGroupHasToHaveTheGivenSnapshots() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            ask(cluster, "Retain");
            awaitReady(cluster);
            var snapshots =
                    content(cluster).objects("status", "volumeSnapshotInfoList").stream()
                            .map(member -> member.text("snapshotHandle").orElseThrow())
                            .toList();
            remove(cluster);
            give(cluster, snapshots.subList(0, 1));
            assertEquals(
                    "Failed to check and update group snapshot: the snapshots of group snapshot"
                            + " groupsnapshot-u1 are "
                            + String.join(", ", new TreeSet<>(snapshots))
                            + ", not "
                            + snapshots.getFirst(),
                    awaitError(cluster));
            cluster.delete(Types.VOLUME_GROUP_SNAPSHOT_CONTENT, CONTENT);
            cluster.await(
                    "the wrong one is gone",
                    () ->
                            cluster.kube
                                    .find(Types.VOLUME_GROUP_SNAPSHOT_CONTENT, CONTENT)
                                    .isEmpty());
            give(cluster, snapshots);
            awaitReady(cluster);
        }
    }

    private static void give(DriverCluster cluster, List<String> snapshots) throws Exception {
        cluster.create(
                Types.VOLUME_GROUP_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'"
                        + CONTENT.name()
                        + "'},'spec':{'driver':'topolvm.io','deletionPolicy':'Delete','source':"
                        + "{'groupSnapshotHandles':{'volumeGroupSnapshotHandle':'groupsnapshot-u1',"
                        + "'volumeSnapshotHandles':['"
                        + String.join("','", snapshots)
                        + "']}},'volumeGroupSnapshotRef':{'namespace':'default','name':'g'}}}");
    }

    /** A mark that was left behind, by an operator that ended, is no wish for other snapshots. */
    @Test
    void aReadyGroupStaysReadyWhenASnapshotOfItIsGone() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            ask(cluster, "Delete");
            awaitReady(cluster);
            var gone = cluster.volumes().stream().filter(LogicalVolume::isSnapshot).findFirst();
            cluster.delete(LogicalVolume.TYPE, gone.orElseThrow().object().key());
            cluster.await("it is gone", () -> cluster.volumes().size() == 3);
            cluster.patch(
                    Types.VOLUME_GROUP_SNAPSHOT_CONTENT,
                    CONTENT,
                    "{'metadata':{'annotations':{'"
                            + PREFIX
                            + "volumegroupsnapshot-being-created':'yes'}}}");
            awaitReady(cluster);
            assertEquals(3, cluster.volumes().size());
            remove(cluster);
            assertEquals(2, cluster.volumes().size());
        }
    }

    @Test
    void theTimesOfAGroupAreNotBeforeItsSnapshots() throws Exception {
        try (var cluster = withClaims()) {
            serve(cluster);
            var before = Instant.now();
            ask(cluster, "Delete");
            awaitReady(cluster);
            var status = content(cluster).object("status").orElseThrow();
            var created = Times.parse(status.text("creationTime").orElseThrow());
            for (var member : status.objects("volumeSnapshotInfoList")) {
                long nanos = member.number("creationTime").orElseThrow();
                var taken = Instant.ofEpochSecond(0, nanos);
                assertFalse(taken.isBefore(before));
                assertFalse(created.isBefore(taken));
            }
        }
    }

    @Test
    @OursAlone("on a real server the definition of the tests before is still there")
    void wherePeopleWouldWaitInVainTheLogSaysWhy() throws Exception {
        try (var log = new LogRecords();
                var cluster = withClaims()) {
            Definitions.install(
                    cluster.kube,
                    Path.of("tests/integration/lvms.operator/lvms/operator/csi/old-groups.yaml"));
            var line =
                    "objects are not followed: the cluster serves only other versions of their"
                            + " type"
                            + " type=volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io"
                            + " served=v1beta1,v1beta2 needed=v1";
            cluster.await("the log says so", () -> !log.beginning(line).isEmpty());
            cluster.patch(
                    Types.CRD,
                    ObjectKey.cluster(Types.VOLUME_GROUP_SNAPSHOT_CONTENT.qualifiedPlural()),
                    "{'metadata':{'labels':{'a':'b'}}}");
            serve(cluster);
            ask(cluster, "Delete");
            awaitReady(cluster);
            assertEquals(List.of(line), log.beginning("objects are not followed"));
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
