package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Snapshots are cut, found, restored from and removed, beside their source. */
@Lasts(seconds = 35)
class SnapshotTests extends SnapshotCase {
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
            for (var method : List.of("CreateSnapshot", "DeleteSnapshot")) {
                cluster.awaitCalls("Controller/" + method, "OK", 1);
            }
        }
    }

    private static DriverCluster withClass(String fields) throws Exception {
        var cluster = withClaim();
        cluster.delete(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("snaps"));
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.io'," + fields + "}");
        return cluster;
    }

    /** Who wants Retain keeps the data when snapshot and content are gone. */
    @Test
    void aClassThatRetainsKeepsTheSnapshotOnTheDisk() throws Exception {
        try (var cluster = withClass("'deletionPolicy':'Retain'")) {
            cut(cluster);
            awaitReady(cluster);
            var content = content(cluster).key();
            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await("it is gone", () -> cluster.list(Types.VOLUME_SNAPSHOT).isEmpty());
            cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, content);
            cluster.await(
                    "its content is gone",
                    () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty());
            assertTrue(
                    cluster.volumes().stream().noneMatch(volume -> volume.object().terminating()));
            assertEquals(2, cluster.agent.made());
        }
    }

    @Test
    void aParameterOfKubernetesThatIsUnknownIsToldAndNothingIsBegun() throws Exception {
        var wrong = "'deletionPolicy':'Delete','parameters':{'csi.storage.k8s.io/secret':'x'}";
        try (var cluster = withClass(wrong)) {
            cut(cluster);
            var text = cluster.awaitEvent("SnapshotCreationFailed");
            assertTrue(text.contains("unknown parameter csi.storage.k8s.io/secret"), text);
            assertEquals(1, cluster.volumes().size());
            cluster.await(
                    "the content says so",
                    () ->
                            content(cluster)
                                    .text("status", "error", "message")
                                    .orElse("")
                                    .contains("unknown parameter"));
            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await(
                    "its content is gone",
                    () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty());
        }
    }

    /** Its data has to get out somehow. */
    @Test
    void aVolumeOnANodeThatGetsNoNewVolumesIsSnapshotAndGrows() throws Exception {
        try (var cluster = withClaim()) {
            cluster.annotateNode(Names.NO_NEW_VOLUMES_ANNOTATION, "''");
            cut(cluster);
            awaitReady(cluster);
            cluster.kube.mergePatch(
                    Types.PVC,
                    claim("data"),
                    DriverCluster.object("{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}"));
            cluster.await(
                    "it has grown",
                    () -> cluster.volumes().stream().anyMatch(v -> v.bytes() == 2 * GIB));
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

    /** A filesystem needs more than was asked for, which nobody has to know for a copy. */
    @Test
    void aCopyIsAskedForAsItsSourceWas() throws Exception {
        try (var cluster = withClaim()) {
            cluster.createClaim("small", "fast", "1Mi", "");
            cluster.awaitBound("small");
            cut(cluster, "small");
            awaitReady(cluster);
            cluster.createClaim("restored", "fast", "1Mi", FROM_SNAPSHOT);
            cluster.createClaim(
                    "cloned",
                    "fast",
                    "1Mi",
                    ",'dataSource':{'kind':'PersistentVolumeClaim','name':'small'}");
            for (var name : List.of("small", "restored", "cloned")) {
                var volume = cluster.kube.get(Types.PV, cluster.awaitVolumeOf(name));
                assertEquals("32Mi", volume.text("spec", "capacity", "storage").orElse(""), name);
            }
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

    private static void createGiven(DriverCluster cluster, String handle) throws Exception {
        cluster.create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'given','finalizers':['snapshot.storage.kubernetes.io/"
                        + "volumesnapshotcontent-bound-protection']},'spec':{'driver':"
                        + "'topolvm.io','deletionPolicy':'Delete','source':{'snapshotHandle':'"
                        + handle
                        + "'},'volumeSnapshotRef':{'namespace':'default','name':'none'}}}");
    }

    private static void deleteGiven(DriverCluster cluster) throws Exception {
        var given = ObjectKey.cluster("given");
        cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, given);
        cluster.await(
                "the content is gone",
                () -> cluster.kube.find(Types.VOLUME_SNAPSHOT_CONTENT, given).isEmpty());
    }

    private static String volumeId(DriverCluster cluster) throws Exception {
        return cluster.volumes().getFirst().status().volumeId();
    }

    @Safety(4)
    @Test
    void aContentWithTheHandleOfAVolumeNeverDeletesTheVolume() throws Exception {
        try (var cluster = withClaim()) {
            createGiven(cluster, volumeId(cluster));
            cluster.awaitEvent("SnapshotContentCheckandUpdateFailed");
            deleteGiven(cluster);
            cluster.requireAlive("data");
        }
    }

    @Safety(4)
    @Test
    void noStatusMakesASnapshotOfAVolume() throws Exception {
        try (var cluster = withClaim()) {
            var id = volumeId(cluster);
            createGiven(cluster, id);
            cluster.kube.mergePatchStatus(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    ObjectKey.cluster("given"),
                    DriverCluster.object(
                            "{'status':{'readyToUse':true,'snapshotHandle':'" + id + "'}}"));
            deleteGiven(cluster);
            cluster.requireAlive("data");
        }
    }

    @Safety(4)
    @Test
    void aContentThatWasNeverReadyDeletesNothing() throws Exception {
        try (var cluster = withClaim()) {
            cut(cluster);
            awaitReady(cluster);
            var handle = content(cluster).text("status", "snapshotHandle").orElseThrow();
            cluster.killOperator();
            createGiven(cluster, handle);
            cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster("given"));
            cluster.startOperator();
            cluster.await(
                    "the content is gone",
                    () ->
                            cluster.kube
                                    .find(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster("given"))
                                    .isEmpty());
            assertTrue(
                    cluster.volumes().stream().noneMatch(volume -> volume.object().terminating()));
            assertEquals(2, cluster.agent.made());
        }
    }

    @Test
    void aContentThatNobodyHoldsYetStaysUntilItsSnapshotIsGone() throws Exception {
        try (var cluster = withClaim()) {
            cluster.agent.hold();
            createEarly(cluster);
            cluster.await("it was begun", () -> cluster.volumes().size() == 2);
            cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster("early"));
            cluster.agent.resume();
            awaitContentAndSnapshotGone(cluster);
        }
    }

    /** Its VolumeSnapshot was deleted before the snapshot-controller saw the mark of its making. */
    private static void createEarly(DriverCluster cluster) throws Exception {
        cluster.create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'early','annotations':{'snapshot.storage.kubernetes.io/"
                        + "volumesnapshot-being-deleted':'yes'}},'spec':{'driver':'topolvm.io',"
                        + "'deletionPolicy':'Delete','source':{'volumeHandle':'"
                        + volumeId(cluster)
                        + "'},'volumeSnapshotRef':{'namespace':'default','name':'gone',"
                        + "'uid':'11111111-2222-3333-4444-555555555555'}}}");
    }

    private static void awaitContentAndSnapshotGone(DriverCluster cluster) throws Exception {
        cluster.await(
                "content and snapshot are gone",
                () ->
                        cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty()
                                && cluster.volumes().size() == 1);
    }

    /** A restart of the API server cuts a create, and the watches come back one after the other. */
    @Safety(4)
    @Test
    void aSnapshotThatTheCacheDoesNotShowYetGoesWithItsContent() throws Exception {
        try (var cluster = withClaim()) {
            var faults = cluster.server.faults();
            var creates = new AtomicInteger();
            faults.answer(request -> ofVolumes(request, "GET"), 100_000, 500, "down");
            faults.cutAfter(request -> ofVolumes(request, "POST"), 1);
            faults.answer(
                    request -> ofVolumes(request, "POST") && creates.getAndIncrement() > 0,
                    100_000,
                    500,
                    "down");
            faults.cutWatches();
            createEarly(cluster);
            cluster.await("the server has it", () -> cluster.volumes().size() == 2);
            cluster.delete(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster("early"));
            cluster.await(
                    "one of both is gone",
                    () ->
                            cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty()
                                    || cluster.volumes().size() == 1);
            faults.clear();
            awaitContentAndSnapshotGone(cluster);
        }
    }

    /** The end of the claim looks for the protection while it is on its way to the server. */
    @Test
    void theProtectionOfASnapshotGoesThoughItsRestoreEndedMeanwhile() throws Exception {
        try (var cluster = withClaim()) {
            cut(cluster);
            awaitReady(cluster);
            var faults = cluster.server.faults();
            var protects = new CountDownLatch(1);
            var looked = new CountDownLatch(1);
            faults.answer(
                    request -> protectsSnapshot(request) && waits(protects, looked), 1, 500, "");
            cluster.createClaim("copy", "fast", "1Gi", FROM_SNAPSHOT);
            assertTrue(protects.await(20, TimeUnit.SECONDS));
            faults.forgetRequests();
            cluster.delete(Types.PVC, claim("copy"));
            cluster.await(
                    "the protection was looked for",
                    () -> faults.requests().stream().anyMatch(SnapshotTests::readsSnapshot));
            looked.countDown();
            cluster.await(
                    "the restore went on",
                    () -> faults.requests().stream().anyMatch(r -> ofVolumes(r, "POST")));
            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await("it is gone", () -> cluster.list(Types.VOLUME_SNAPSHOT).isEmpty());
        }
    }

    private static boolean waits(CountDownLatch reached, CountDownLatch until) {
        reached.countDown();
        try {
            until.await(20, TimeUnit.SECONDS);
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean protectsSnapshot(Seen request) {
        return ofSnapshot(request, "PATCH")
                && request.body().contains("provisioner.storage.kubernetes.io");
    }

    private static boolean readsSnapshot(Seen request) {
        return ofSnapshot(request, "GET");
    }

    private static boolean ofSnapshot(Seen request, String method) {
        return byOperator(request, method) && request.target().endsWith("/volumesnapshots/snap");
    }

    private static boolean ofVolumes(Seen request, String method) {
        return byOperator(request, method) && request.target().endsWith("/logicalvolumes");
    }

    private static boolean byOperator(Seen request, String method) {
        return request.method().equals(method)
                && request.headers().getOrDefault("user-agent", "").contains(Names.OPERATOR);
    }
}
