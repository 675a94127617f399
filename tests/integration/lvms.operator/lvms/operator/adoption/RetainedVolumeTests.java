package lvms.operator.adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A person deletes a volume that nobody has, and no other. */
@Safety(13)
class RetainedVolumeTests {
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
        var volume =
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata: {name: pvc-1}
                spec: {name: pvc-1, nodeName: n1, size: 8Mi, deviceClass: ssd}
                """;
        kube.create(LogicalVolume.TYPE, KubeObject.of(Yaml.read(volume).asObject()));
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                PVC_1,
                Yaml.read("status: {volumeID: lv-1, currentSize: 8Mi}").asObject());
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private void persistentVolume(String name, String phase) throws Exception {
        persistentVolume(name, phase, "topolvm.io");
    }

    private void persistentVolume(String name, String phase, String driver) throws Exception {
        var volume =
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 8Mi}
                  persistentVolumeReclaimPolicy: Retain
                  claimRef: {namespace: app, name: data, uid: u-1}
                  csi: {driver: %s, volumeHandle: lv-1}
                """;
        kube.create(Types.PV, KubeObject.of(Yaml.read(volume.formatted(name, driver)).asObject()));
        if (!phase.isEmpty()) {
            kube.mergePatchStatus(
                    Types.PV,
                    ObjectKey.cluster(name),
                    Yaml.read("status: {phase: " + phase + "}").asObject());
        }
    }

    private void oldDriver(String annotations) throws Exception {
        var driver =
                """
                apiVersion: storage.k8s.io/v1
                kind: CSIDriver
                metadata: {name: topolvm.cybozu.com, annotations: {%s}}
                spec: {attachRequired: false}
                """;
        kube.create(
                Types.CSI_DRIVER,
                KubeObject.of(Yaml.read(driver.formatted(annotations)).asObject()));
    }

    private void object(String name, String id) throws Exception {
        var volume =
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata: {name: %s}
                spec: {name: %s, nodeName: n2, size: 8Mi, deviceClass: ssd}
                """;
        kube.create(
                LogicalVolume.TYPE,
                KubeObject.of(Yaml.read(volume.formatted(name, name)).asObject()));
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster(name),
                Yaml.read("status: {volumeID: " + id + ", currentSize: 8Mi}").asObject());
    }

    private boolean there() throws Exception {
        return kube.find(LogicalVolume.TYPE, PVC_1).filter(o -> !o.terminating()).isPresent();
    }

    private String refusal(String name) {
        return assertThrows(NotAdoptable.class, () -> RetainedVolume.find(kube, name)).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Released", "Available", "Failed"})
    void aVolumeThatNoClaimHasGoesWithItsObject(String phase) throws Exception {
        persistentVolume("pvc-1", phase);
        var volume = RetainedVolume.find(kube, "pvc-1");
        assertEquals(
                "PersistentVolume pvc-1, last claim app/data, 8Mi of class ssd on node n1: it and"
                        + " its data will be deleted",
                volume.line());
        assertTrue(there());
        volume.delete();
        assertTrue(
                kube.find(Types.PV, PVC_1).filter(pv -> !pv.terminating()).isEmpty() && !there());
    }

    @Test
    void aConvertedVolumeGoesWithItsObject() throws Exception {
        oldDriver("topolvm.io/logicalvolumes-in: topolvm.io");
        persistentVolume("pvc-1", "Released", "topolvm.cybozu.com");
        RetainedVolume.find(kube, "pvc-1").delete();
        assertTrue(kube.find(Types.PV, PVC_1).filter(pv -> !pv.terminating()).isEmpty());
        assertTrue(!there());
    }

    /** Its object is in the other group, and only the PersistentVolume would go. */
    @Test
    void anOldVolumeOfAnotherGroupTakesNoObjectOfOursAlong() throws Exception {
        persistentVolume("pvc-1", "Released", "topolvm.cybozu.com");
        assertTrue(refusal("pvc-1").contains("is of the driver topolvm.cybozu.com, not ours"));
    }

    /** A copy of an object names the volume of the other one. */
    @Test
    void ofTwoObjectsTheOneGoesWhoseVolumeItIs() throws Exception {
        var uid = kube.get(LogicalVolume.TYPE, PVC_1).uid();
        object("a-copy", uid);
        kube.mergePatchStatus(
                LogicalVolume.TYPE, PVC_1, Yaml.read("status: {volumeID: " + uid + "}").asObject());
        assertTrue(refusal("a-copy").contains("which is that of another LogicalVolume"));
        RetainedVolume.find(kube, "pvc-1").delete();
        assertTrue(!there());
        assertTrue(kube.find(LogicalVolume.TYPE, ObjectKey.cluster("a-copy")).isPresent());
    }

    @Test
    void nothingGoesWhileTwoHaveTheVolume() throws Exception {
        object("a-copy", "lv-1");
        persistentVolume("pvc-1", "Released");
        assertTrue(refusal("pvc-1").contains("a-copy and pvc-1 all say that volume lv-1"));
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster("a-copy"),
                Yaml.read("status: {volumeID: lv-2}").asObject());
        persistentVolume("given", "Bound");
        assertTrue(refusal("pvc-1").contains("given and pvc-1 all have volume lv-1"));
        assertTrue(there());
    }

    @Test
    void aNewPersistentVolumeStays() throws Exception {
        persistentVolume("pvc-1", "");
        assertTrue(refusal("pvc-1").endsWith("is Pending: Kubernetes has not looked at it yet"));
    }

    @Test
    void aVolumeThatAClaimHasStays() throws Exception {
        persistentVolume("pvc-1", "Bound");
        assertTrue(refusal("pvc-1").contains("is Bound: delete its claim app/data first"));
    }

    @Test
    void aVolumeThatSomebodyTookMeanwhileStays() throws Exception {
        persistentVolume("pvc-1", "Released");
        var volume = RetainedVolume.find(kube, "pvc-1");
        kube.mergePatch(
                Types.PV, PVC_1, Yaml.read("metadata: {labels: {taken: again}}").asObject());
        assertThrows(ApiException.Conflict.class, volume::delete);
        assertTrue(there());
    }

    private void kept(String name, String policy, String phase, String since) throws Exception {
        var volume =
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 8Mi}
                  persistentVolumeReclaimPolicy: %s
                  claimRef: {namespace: app, name: %s, uid: u-1}
                  csi: {driver: topolvm.io, volumeHandle: id-%s}
                """;
        kube.create(
                Types.PV,
                KubeObject.of(Yaml.read(volume.formatted(name, policy, name, name)).asObject()));
        object("lv-" + name, "id-" + name);
        var status = "status: {phase: %s, lastPhaseTransitionTime: '%s'}";
        kube.mergePatchStatus(
                Types.PV,
                ObjectKey.cluster(name),
                Yaml.read(status.formatted(phase, since)).asObject());
    }

    private boolean going(String name) throws Exception {
        var key = ObjectKey.cluster("lv-" + name);
        return kube.find(LogicalVolume.TYPE, key).filter(o -> !o.terminating()).isEmpty();
    }

    /** Only what a person kept, and nobody has had for long. */
    @Test
    void whatWasReleasedLongAgoGoesAndNothingElse() throws Exception {
        kept("long-ago", "Retain", "Released", "2026-01-01T00:00:00Z");
        kept("lately", "Retain", "Released", "2026-01-03T00:00:00Z");
        kept("in-use", "Retain", "Bound", "2025-01-01T00:00:00Z");
        kept("offered", "Retain", "Available", "2025-01-01T00:00:00Z");
        kept("removed-by-us", "Delete", "Released", "2025-01-01T00:00:00Z");
        kept("ambiguous", "Retain", "Released", "2025-01-01T00:00:00Z");
        object("a-copy", "id-ambiguous");
        var found = RetainedVolume.releasedBefore(kube, Instant.parse("2026-01-02T00:00:00Z"));
        assertEquals(
                List.of(
                        "PersistentVolume long-ago, last claim app/long-ago, 8Mi of class ssd on"
                                + " node n2: it and its data will be deleted"),
                found.volumes().stream().map(RetainedVolume::line).toList());
        assertEquals(1, found.refusals().size());
        assertTrue(found.refusals().getFirst().startsWith("PersistentVolume ambiguous: "));
        found.volumes().getFirst().delete();
        for (var name : List.of("lately", "in-use", "offered", "removed-by-us", "ambiguous")) {
            assertTrue(!going(name), name);
        }
        assertTrue(going("long-ago"));
    }

    @Test
    void anOrphanGoes() throws Exception {
        RetainedVolume.find(kube, "pvc-1").delete();
        assertTrue(!there());
    }

    @Test
    void aVolumeThatAPersistentVolumeOfAnotherNameHasStays() throws Exception {
        persistentVolume("given", "Bound");
        assertTrue(refusal("pvc-1").contains("belongs to PersistentVolume given"));
    }

    @Test
    void nothingIsFoundUnderANameThatNothingHas() {
        assertEquals("there is no PersistentVolume and no LogicalVolume pvc-9", refusal("pvc-9"));
    }
}
