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
                  csi: {driver: topolvm.io, volumeHandle: lv-1}
                """;
        kube.create(Types.PV, KubeObject.of(Yaml.read(volume.formatted(name)).asObject()));
        kube.mergePatchStatus(
                Types.PV,
                ObjectKey.cluster(name),
                Yaml.read("status: {phase: " + phase + "}").asObject());
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
