package lvms.operator.adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Optional;

/** What the nodes report without an object gets one, and what has one keeps it. */
@Safety(14)
class UnclaimedVolumesTests {
    private static final String TAGGED = "0e3b4c5d-1111-2222-3333-444455556666";
    private static final String PLAIN = "0e3b4c5d-1111-2222-3333-777788889999";

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private UnclaimedVolumes volumes;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        volumes = new UnclaimedVolumes(kube);
        create(Types.NAMESPACE, "{apiVersion: v1, kind: Namespace, metadata: {name: lvms-system}}");
        create(
                LvmVolumeGroupNodeStatus.TYPE,
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMVolumeGroupNodeStatus
                metadata: {name: n1, namespace: lvms-system}
                spec:
                  nodeStatus:
                    - name: ssd
                      status: Ready
                      unclaimedVolumes:
                        - {name: %s, object: pvc-1, size: 8Mi}
                        - {name: %s, size: 16Mi}
                """
                        .formatted(TAGGED, PLAIN));
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private void create(ResourceType type, String yaml) throws Exception {
        kube.create(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private LogicalVolume named(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    @Test
    void theTagNamesTheObject() throws Exception {
        assertEquals(2, volumes.all().size());
        assertEquals("pvc-1", volumes.adopt(TAGGED, ""));
        var made = named("pvc-1");
        assertEquals(Optional.of(TAGGED), made.formerId());
        assertEquals("n1", made.spec().nodeName());
        assertEquals("ssd", made.spec().deviceClass());
        assertEquals(8 << 20, made.spec().size().bytes());
    }

    @Test
    void thePersistentVolumeNamesTheObject() throws Exception {
        create(
                Types.PV,
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pvc-2}
                spec:
                  capacity: {storage: 16Mi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: topolvm.io, volumeHandle: %s}
                """
                        .formatted(PLAIN));
        assertEquals("pvc-2", volumes.adopt(PLAIN, ""));
        assertEquals(Optional.of(PLAIN), named("pvc-2").formerId());
    }

    /** NativeStor's volumes stay in their group, where the agent looks for their objects. */
    @Test
    void theObjectIsInTheGroupOfTheDriverThatThePersistentVolumeNames() throws Exception {
        Definitions.install(kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        create(
                Types.CSI_DRIVER,
                """
                apiVersion: storage.k8s.io/v1
                kind: CSIDriver
                metadata:
                  name: topolvm.cybozu.com
                  annotations: {topolvm.io/logicalvolumes-in: topolvm.cybozu.com}
                spec: {attachRequired: false}
                """);
        create(
                Types.PV,
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pvc-2}
                spec:
                  capacity: {storage: 16Mi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: topolvm.cybozu.com, volumeHandle: %s}
                """
                        .formatted(PLAIN));
        assertEquals("mine", volumes.adopt(PLAIN, "mine"));
        var type = Driver.LEGACY.logicalVolumes();
        var made = LogicalVolume.of(kube.get(type, ObjectKey.cluster("mine")));
        assertEquals(Optional.of(PLAIN), made.formerId());
        assertEquals(Optional.empty(), kube.find(LogicalVolume.TYPE, ObjectKey.cluster("mine")));
    }

    @Test
    void withoutBothThePersonNamesIt() throws Exception {
        assertThrows(NotAdoptable.class, () -> volumes.adopt(PLAIN, ""));
        assertEquals("mine", volumes.adopt(PLAIN, "mine"));
        assertThrows(NotAdoptable.class, () -> volumes.adopt("no-such-volume", "mine"));
    }

    /** Nothing is restored from what is no snapshot, and no content that goes takes it along. */
    @Test
    void theVolumeOfASnapshotIsASnapshotAgain() throws Exception {
        assertEquals("snapshot-1", volumes.adopt(PLAIN, "snapshot-1"));
        assertTrue(named("snapshot-1").isSnapshot());
        volumes.adopt(TAGGED, "");
        assertFalse(named("pvc-1").isSnapshot());
    }

    @Test
    void theContentTellsASnapshotAndItsSource() throws Exception {
        Definitions.install(kube, Path.of("tests/lab/lvms.tests/resources/snapshot-crds.yaml"));
        create(
                LogicalVolume.TYPE,
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata: {name: pvc-9}
                spec: {name: pvc-9, nodeName: n1, deviceClass: ssd, size: 16Mi}
                """);
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-9"),
                Yaml.read("status: {volumeID: nine}").asObject());
        create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                """
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotContent
                metadata: {name: snapcontent-1}
                spec:
                  driver: topolvm.io
                  deletionPolicy: Delete
                  source: {volumeHandle: nine}
                  volumeSnapshotRef: {namespace: default, name: snap, uid: u}
                """);
        kube.mergePatchStatus(
                Types.VOLUME_SNAPSHOT_CONTENT,
                ObjectKey.cluster("snapcontent-1"),
                Yaml.read("status: {snapshotHandle: " + PLAIN + "}").asObject());
        assertEquals("mine", volumes.adopt(PLAIN, "mine"));
        assertTrue(named("mine").isSnapshot());
        assertEquals("pvc-9", named("mine").spec().source());
    }

    @Test
    void anObjectThatHasAVolumeKeepsIt() throws Exception {
        volumes.adopt(TAGGED, "");
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-1"),
                Yaml.read("status: {volumeID: another}").asObject());
        assertThrows(NotAdoptable.class, () -> volumes.adopt(TAGGED, ""));
        assertEquals(Optional.of(TAGGED), named("pvc-1").formerId());
    }
}
