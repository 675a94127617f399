package lvms.operator.uninstall;

import static lvms.operator.uninstall.World.CLAIM;
import static lvms.operator.uninstall.World.POD;
import static lvms.operator.uninstall.World.SYSTEM;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/**
 * {@code lvms uninstall} ends an installation with a TopolvmCluster and all that came with it, and
 * touches nothing of a NativeStor that is still at work.
 */
@Safety(39)
@Lasts(seconds = 150)
class NativeStorUninstallTests extends UninstallCase {
    private static final ObjectKey CLUSTER = ObjectKey.of(SYSTEM, "topolvm");

    private void configMap(String name, String data) throws Exception {
        world.create(
                Types.CONFIG_MAP,
                """
                metadata:
                  name: %s
                  namespace: lvms-system
                  labels: {topolvm/lvmdconfig: lvmdconfig}
                data: %s
                """
                        .formatted(name, data));
    }

    private void rawDevice(String annotations, String volume) throws Exception {
        world.create(
                RawDevice.TYPE,
                """
                metadata: {name: d1, annotations: {%s}}
                spec: {nodeName: n1, size: 4294967296, type: disk, realPath: /dev/sdc, major: 8,
                  minor: 32, uuid: "", available: false}
                """
                        .formatted(annotations));
        if (!volume.isEmpty()) {
            world.kube.mergePatchStatus(
                    RawDevice.TYPE,
                    ObjectKey.cluster("d1"),
                    Yaml.read("status: {name: " + volume + "}").asObject());
        }
    }

    private void endUse() throws Exception {
        world.delete(Types.POD, POD);
        world.await("the pod is gone", () -> world.kube.find(Types.POD, POD).isEmpty());
        requireObstacle(BLANK, "claim default/data holds volume");
        world.delete(Types.PVC, CLAIM);
        world.await("the claim is gone", () -> world.kube.find(Types.PVC, CLAIM).isEmpty());
    }

    @Test
    void withCleanupTheVolumeGroupsGoAndNothingIsLeft() throws Exception {
        world.installNativeStor(true);
        world.useIt();
        requireObstacle(BLANK, "pods use volume");
        endUse();
        configMap("lvmdconfig-n1", "{devices: '[]'}");
        configMap("nativestor-setting", "{TOPOLVM_ENABLE: 'true'}");
        rawDevice("", "");
        var said = run(BLANK);
        assertTrue(world.disks.areBlank(), world.disks.toString());
        var cluster = said.stream().filter(s -> s.contains("TopolvmCluster lvms-system/")).toList();
        assertEquals(1, cluster.size(), said.toString());
        assertTrue(cluster.getFirst().contains("have removed its volume groups"), said.toString());
        assertTrue(said.contains("delete CSIDriver topolvm.cybozu.com"), said.toString());
        assertTrue(said.contains("delete 1 RawDevice, the list of the nodes' devices"));
        assertTrue(said.contains("delete ConfigMap lvms-system/nativestor-setting"));
        assertEquals(List.of(), Uninstallation.plan(world.kube, BLANK).steps());
    }

    @Test
    void withoutCleanupTheVolumeGroupsStayAndThePlanSaysSo() throws Exception {
        world.installNativeStor(false);
        var steps = Uninstallation.plan(world.kube, BLANK).steps();
        assertTrue(
                steps.stream()
                        .anyMatch(
                                s ->
                                        s.startsWith("delete TopolvmCluster lvms-system/topolvm;")
                                                && s.contains("stay on the disks")),
                steps.toString());
        run(BLANK);
    }

    @Test
    void whereNobodyCanFinishObjectsGoIfThatIsAskedFor() throws Exception {
        world.installNativeStor(true);
        world.useIt();
        world.scaleOperator(0);
        requireObstacle(BLANK, "pods use volume");
        world.delete(Types.POD, POD);
        world.await("the pod is gone", () -> world.kube.find(Types.POD, POD).isEmpty());
        world.delete(Types.PVC, CLAIM);
        requireObstacle(BLANK, "the operator has no replicas");
        run(KEEP);
        assertFalse(world.disks.areBlank(), "kept as told");
    }

    @Test
    void anOperatorThatLostTheFlagOrItsRightsIsNamed() throws Exception {
        world.installNativeStor(true);
        var guard = ObjectKey.cluster("lvms-topolvmclusters-in-use");
        world.delete(Types.VALIDATING_ADMISSION_POLICY_BINDING, guard);
        world.delete(Types.VALIDATING_ADMISSION_POLICY, guard);
        var binding = ObjectKey.cluster("lvms-operator-nativestor");
        world.await( // a server takes a moment until a policy that is gone holds no longer
                "its rights are deleted",
                () -> world.delete(Types.CLUSTER_ROLE_BINDING, binding).isEmpty());
        requireObstacle(
                BLANK,
                "the operator cannot finish without ClusterRoleBinding lvms-operator-nativestor:"
                        + " kubectl apply -k deploy/nativestor/guard && kubectl apply -k"
                        + " deploy/nativestor");
        world.apply("deploy/nativestor");
        var deployment = world.kube.get(Types.DEPLOYMENT, World.DEPLOYMENT);
        world.kube.mergePatch(
                Types.DEPLOYMENT,
                MergePatch.of(deployment)
                        .set(
                                Yaml.read("[{name: lvms-operator, image: i, args: [operator]}]"),
                                "spec",
                                "template",
                                "spec",
                                "containers"));
        requireObstacle(BLANK, "cannot end while the operator runs without --nativestor");
    }

    @Test
    void aDiskThatIsNotErasedYetIsWaitedFor() throws Exception {
        world.installNativeStor(true);
        rawDevice("lvms.topolvm.io/content: used", "");
        requireObstacle(
                BLANK,
                "RawDevice d1, /dev/sdc of node n1, still has what a volume left: wait until its"
                        + " node has erased it");
        var said = run(KEEP);
        assertTrue(
                said.contains("leave on its disk what a volume of RawDevice d1 has written"),
                said::toString);
    }

    @Test
    void aWholeDiskThatAClaimHasIsInTheWay() throws Exception {
        world.installNativeStor(true);
        rawDevice("lvms.topolvm.io/content: used", "d1");
        world.create(
                Types.PV,
                """
                metadata: {name: raw, finalizers: [kubernetes.io/pv-protection]}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 4Gi}
                  volumeMode: Block
                  persistentVolumeReclaimPolicy: Retain
                  csi: {driver: nativestor.alauda.io, volumeHandle: d1}
                """);
        requireObstacle(BLANK, "PersistentVolume raw is retained");
    }

    private void takenOver(String finalizers) throws Exception {
        world.create(
                Types.CSI_DRIVER,
                """
                metadata:
                  name: topolvm.cybozu.com
                  annotations: {topolvm.io/logicalvolumes-in: topolvm.cybozu.com}
                spec: {attachRequired: false}
                """);
        world.apply("deploy/guard");
        world.apply("deploy/base");
        world.apply("deploy/legacy");
        world.apply("deploy/nativestor");
        world.await("types", () -> world.served(Driver.LEGACY.logicalVolumes()));
        world.create(
                Driver.LEGACY.logicalVolumes(),
                """
                metadata: {name: old, finalizers: [%s]}
                spec: {name: old, nodeName: n1, size: 1Gi, deviceClass: ssd}
                """
                        .formatted(finalizers));
    }

    /** After a take-over its volumes are in their own group still, and ours to look after. */
    @Test
    void volumesThatWereTakenOverAreInTheWay() throws Exception {
        takenOver("topolvm.cybozu.com/logicalvolume");
        requireObstacle(BLANK, "LogicalVolume old");
        world.create(
                Types.PV,
                """
                metadata: {name: old, finalizers: [kubernetes.io/pv-protection]}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  persistentVolumeReclaimPolicy: Retain
                  csi: {driver: topolvm.cybozu.com, volumeHandle: old}
                """);
        requireObstacle(BLANK, "PersistentVolume old is retained");
        var steps = Uninstallation.plan(world.kube, BLANK).steps();
        assertTrue(steps.stream().noneMatch(s -> s.contains("logicalvolumes.topolvm.cybozu.com")));
    }

    /** An agent that comes back erases what terminates with its finalizer or without the mark. */
    @Safety(49)
    @ParameterizedTest
    @ValueSource(strings = {"topolvm.cybozu.com/logicalvolume,", ""})
    void ofVolumesThatWereTakenOverNoneTerminatesWithoutTheMark(String finalizer) throws Exception {
        takenOver(finalizer + "tests.lvms/holds");
        var end = Uninstallation.plan(world.kube, KEEP);
        assertThrows(StuckException.class, () -> end.run(Duration.ofSeconds(2), _ -> {}));
        requireMarked();
    }

    private void requireMarked() throws Exception {
        var left = world.kube.get(Driver.LEGACY.logicalVolumes(), ObjectKey.cluster("old"));
        assertTrue(left.terminating(), left::toString);
        assertTrue(LogicalVolume.of(left).pendingDeletion(), left::toString);
        assertEquals(List.of("tests.lvms/holds"), left.finalizers());
        world.kube.mergePatch(
                Driver.LEGACY.logicalVolumes(), MergePatch.of(left).finalizers(List.of()));
    }

    /** Where its programs serve the old driver, its objects, types and ConfigMaps are its own. */
    @Test
    void aNativeStorThatIsStillAtWorkKeepsItsOwn() throws Exception {
        world.create(
                Types.CSI_DRIVER,
                "{metadata: {name: topolvm.cybozu.com}, spec: {attachRequired: false}}");
        world.create(
                Types.CSI_DRIVER,
                "{metadata: {name: nativestor.alauda.io}, spec: {attachRequired: false}}");
        world.apply("deploy/guard");
        world.apply("deploy/base");
        world.apply("deploy/nativestor");
        world.await("types", () -> world.served(TopolvmCluster.TYPE));
        world.await("types", () -> world.served(RawDevice.TYPE));
        world.create(
                TopolvmCluster.TYPE,
                """
                metadata: {name: topolvm, namespace: lvms-system,
                  finalizers: [topolvmcluster.topolvm.cybozu.com]}
                spec: {topolvmVersion: x, storage: {useAllNodes: true, useAllDevices: true,
                  useLoop: false, className: ssd, volumeGroupName: data}}
                """);
        rawDevice("", "");
        configMap("lvmdconfig-n1", "{devices: '[]'}");
        var steps = Uninstallation.plan(world.kube, BLANK).steps();
        for (var theirs :
                List.of(
                        "TopolvmCluster",
                        "RawDevice",
                        "ConfigMap",
                        "CSIDriver",
                        "topolvmclusters.topolvm.cybozu.com",
                        "logicalvolumes.topolvm.cybozu.com",
                        "rawdevices.nativestor.alauda.io")) {
            assertTrue(steps.stream().noneMatch(s -> s.contains(theirs)), steps.toString());
        }
        assertTrue(steps.contains("delete ClusterRole lvms-operator-nativestor"), steps.toString());
        assertTrue(world.kube.find(TopolvmCluster.TYPE, CLUSTER).isPresent());
    }

    /** Another NativeStor's object in its own namespace keeps the type, and with it its volumes. */
    @Test
    void aTypeWithObjectsElsewhereStays() throws Exception {
        world.installNativeStor(true);
        world.create(Types.NAMESPACE, "{metadata: {name: nativestor-system}}");
        world.create(
                TopolvmCluster.TYPE,
                """
                metadata: {name: theirs, namespace: nativestor-system,
                  finalizers: [topolvmcluster.topolvm.cybozu.com]}
                spec: {topolvmVersion: x, storage: {useAllNodes: false, useAllDevices: false,
                  useLoop: false}}
                """);
        configMap("lvmdconfig-n2", "{devices: '[]', lvmd.yaml: 'x'}");
        var steps = Uninstallation.plan(world.kube, BLANK).steps();
        assertTrue(
                steps.stream().noneMatch(s -> s.contains("topolvmclusters.topolvm.cybozu.com")),
                steps.toString());
        assertTrue(steps.stream().noneMatch(s -> s.contains("theirs")), steps.toString());
        assertTrue(steps.stream().noneMatch(s -> s.contains("lvmdconfig-n2")), steps.toString());
        assertTrue(
                steps.stream().anyMatch(s -> s.contains("rawdevices.nativestor.alauda.io")),
                steps.toString());
    }
}
