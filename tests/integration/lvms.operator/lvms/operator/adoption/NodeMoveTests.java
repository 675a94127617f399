package lvms.operator.adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeAffinity;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The volumes of a node that is away move to the node that has their volume group, and to no other.
 */
@Safety(14)
class NodeMoveTests {
    private static final String GROUP = "Ab1cde-F2gh-I3jk-L4mn-O5pq-R6st-U7vwxy";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey PVC_1 = ObjectKey.cluster("pvc-1");

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        create(
                Types.NODE,
                """
                apiVersion: v1
                kind: Node
                metadata: {name: new, labels: {topology.topolvm.io/node: new}}
                """);
        create(
                Types.PV,
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: pvc-1
                  annotations: {pv.kubernetes.io/provisioned-by: topolvm.io}
                  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 8Mi}
                  persistentVolumeReclaimPolicy: Delete
                  storageClassName: fast
                  claimRef: {namespace: app, name: data, uid: u-1}
                  csi: {driver: topolvm.io, volumeHandle: lv-1, fsType: xfs}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - {key: topology.topolvm.io/node, operator: In, values: [old]}
                """);
        create(LogicalVolume.TYPE, volume("pvc-1", "lv-1"));
        recorded("pvc-1", "lv-1");
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private KubeObject create(ResourceType type, String yaml) throws Exception {
        return kube.create(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private static String volume(String name, String id) {
        return """
        apiVersion: topolvm.io/v1
        kind: LogicalVolume
        metadata: {name: %s, annotations: {topolvm.io/volume-id: %s}}
        spec: {name: %s, nodeName: old, size: 8Mi, deviceClass: ssd}
        """
                .formatted(name, id, name);
    }

    private void recorded(String name, String id) throws Exception {
        var status = "status: {volumeID: %s, currentSize: 8Mi, volumeGroupUUID: %s, nodeUID: N}";
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster(name),
                Yaml.read(status.formatted(id, GROUP)).asObject());
    }

    private static ObjectTree lvm(String uuid, String volumes) {
        var text =
                "{volumeGroups: [{name: other, uuid: Z, logicalVolumes: [{name: lv-1}]},"
                        + " {name: ssd, uuid: %s, logicalVolumes: [%s]}]}";
        return Yaml.read(text.formatted(uuid, volumes)).asObject();
    }

    private NodeMove plan() throws Exception {
        return NodeMove.plan(kube, "old", "new", lvm(GROUP, "{name: lv-1}"));
    }

    private LogicalVolume volume() throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, PVC_1));
    }

    private void isMoved(KubeObject before) throws Exception {
        assertEquals("new", volume().spec().nodeName());
        assertTrue(volume().object().annotation(PendingVolume.CONTENT).isEmpty());
        var now = kube.get(Types.PV, PVC_1);
        assertEquals(Optional.of("new"), VolumeAffinity.node(now, Driver.TOPOLVM));
        for (var field : List.of("claimRef", "csi", "capacity", "persistentVolumeReclaimPolicy")) {
            assertEquals(before.value("spec", field), now.value("spec", field), field);
        }
        assertEquals(before.annotations(), now.annotations());
        assertEquals(before.finalizers(), now.finalizers());
    }

    @Test
    void theVolumeAndItsPersistentVolumeNameTheNewNode() throws Exception {
        var before = kube.get(Types.PV, PVC_1);
        var move = plan();
        assertEquals(List.of(), move.obstacles());
        assertTrue(move.lines().getFirst().contains(GROUP), move.lines().getFirst());
        assertEquals("old", volume().spec().nodeName());
        move.run(PATIENCE);
        isMoved(before);
    }

    @Test
    void aMoveThatWasCutWhileThePersistentVolumeWasAwayGoesOn() throws Exception {
        var before = kube.get(Types.PV, PVC_1);
        server.faults()
                .answer(
                        seen ->
                                seen.method().equals("POST")
                                        && seen.target().contains("/persistentvolumes"),
                        1,
                        403,
                        "{}");
        assertThrows(ApiException.class, () -> plan().run(PATIENCE));
        server.faults().clear();
        assertTrue(kube.find(Types.PV, PVC_1).isEmpty());
        plan().run(PATIENCE);
        isMoved(before);
    }

    private KubeObject other(String name, String driver) throws Exception {
        return create(
                Types.PV,
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 8Mi}
                  csi: {driver: %s, volumeHandle: lv-1}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - {key: topology.%s/node, operator: In, values: [old]}
                """
                        .formatted(name, driver, driver));
    }

    private void noPersistentVolume() throws Exception {
        kube.delete(Types.PV, PVC_1, DeleteOptions.any());
        kube.mergePatch(Types.PV, PVC_1, Yaml.read("metadata: {finalizers: null}").asObject());
    }

    /** A converted volume keeps its driver, and a restored one may have any name. */
    @ParameterizedTest
    @CsvSource({"given, topolvm.io", "given, topolvm.cybozu.com"})
    void thePersistentVolumeIsFoundByItsHandle(String name, String driver) throws Exception {
        noPersistentVolume();
        create(
                Types.CSI_DRIVER,
                """
                apiVersion: storage.k8s.io/v1
                kind: CSIDriver
                metadata:
                  name: topolvm.cybozu.com
                  annotations: {topolvm.io/logicalvolumes-in: topolvm.io}
                spec: {attachRequired: false}
                """);
        other(name, driver);
        var move = plan();
        assertEquals(List.of(), move.obstacles());
        assertTrue(move.lines().getFirst().endsWith("with its PersistentVolume given"));
        move.run(PATIENCE);
        assertEquals("new", volume().spec().nodeName());
        assertEquals(
                Optional.of("new"),
                VolumeAffinity.node(
                        kube.get(Types.PV, ObjectKey.cluster(name)), new Driver(driver)));
    }

    @Test
    void nothingMovesWhileTwoPersistentVolumesHaveAVolume() throws Exception {
        other("given", "topolvm.io");
        refuses("PersistentVolumes given and pvc-1 all have volume lv-1");
    }

    @Test
    void nothingMovesWhileTwoObjectsHaveAVolume() throws Exception {
        create(LogicalVolume.TYPE, volume("copy", "lv-1"));
        recorded("copy", "lv-1");
        refuses("LogicalVolumes copy and pvc-1 all say that volume lv-1 is theirs");
    }

    private void refuses(String why) throws Exception {
        var move = plan();
        assertTrue(move.obstacles().getFirst().startsWith(why), move.obstacles().toString());
        assertThrows(NotAdoptable.class, () -> move.run(PATIENCE));
        assertEquals("old", volume().spec().nodeName());
    }

    @Test
    void aNodeWithoutTheGroupGetsNothing() throws Exception {
        for (var lvm : List.of(lvm("Y", "{name: lv-1}"), lvm(GROUP, ""))) {
            var move = NodeMove.plan(kube, "old", "new", lvm);
            var obstacle = move.obstacles().getFirst();
            assertTrue(obstacle.contains("pvc-1") && obstacle.contains("node new"), obstacle);
            assertThrows(NotAdoptable.class, () -> move.run(PATIENCE));
        }
        assertEquals("old", volume().spec().nodeName());
    }

    @Test
    void aNodeThatWorksKeepsItsVolumes() throws Exception {
        create(
                Types.NODE,
                """
                apiVersion: v1
                kind: Node
                metadata: {name: old}
                """);
        kube.mergePatchStatus(
                Types.NODE,
                ObjectKey.cluster("old"),
                Yaml.read("status: {conditions: [{type: Ready, status: 'True'}]}").asObject());
        var refusal = assertThrows(NotAdoptable.class, this::plan);
        assertTrue(refusal.getMessage().contains("old is Ready"), refusal.getMessage());
        kube.delete(Types.NODE, ObjectKey.cluster("old"), DeleteOptions.any());
        assertEquals(List.of(), plan().obstacles());
    }
}
