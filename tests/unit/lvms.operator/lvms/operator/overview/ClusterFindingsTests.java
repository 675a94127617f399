package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What is wrong is found, with its reason; what cannot be seen is not called wrong. */
class ClusterFindingsTests {
    private Scene scene = Scene.working();

    /** The only finding, as {@code SEVERITY subject: text}. */
    private String only() {
        var found = ClusterFindings.of(scene.overview());
        assertEquals(1, found.size(), found.toString());
        var finding = found.getFirst();
        assertFalse(finding.cure().isEmpty());
        return finding.severity() + " " + finding.subject() + ": " + finding.text();
    }

    @Test
    void nothingIsWrongInAClusterThatWorks() {
        scene.volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data");
        assertEquals(0, ClusterFindings.of(scene.overview()).size());
    }

    /** Both show what earlier volumes left on the disks; neither can be made any more. */
    @Test
    void whatAnOlderVersionLetThroughIsNamed() {
        scene.volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .with(
                        """
                        kind: PersistentVolume
                        metadata: {name: pvc-1}
                        spec:
                          capacity: {storage: 1Gi}
                          accessModes: [ReadWriteOnce]
                          mountOptions: [noatime, "data=writeback"]
                          csi: {driver: topolvm.io, volumeHandle: v1}
                          claimRef: {namespace: default, name: data}
                        status: {phase: Bound}
                        """);
        assertEquals(
                "WARNING PersistentVolume pvc-1: it is mounted with data=writeback: after a crash"
                        + " its files may show what earlier volumes left on the disks",
                only());
        scene = Scene.working();
        for (var copy : List.of("pvc-1,,Filesystem", "snap,pvc-1,", "pvc-2,snap,Block")) {
            var words = copy.split(",", -1);
            var name = words[0];
            scene.with(
                            """
                            apiVersion: topolvm.io/v1
                            kind: LogicalVolume
                            metadata:
                              name: %s
                              uid: %s-uid
                              creationTimestamp: "2026-01-02T11:59:59Z"
                              annotations: {topolvm.io/volume-mode: "%s"}
                            spec:
                              {name: %s, nodeName: n1, size: 1Gi, deviceClass: ssd, source: "%s"}
                            status: {volumeID: %s, currentSize: 1Gi}
                            """
                                    .formatted(name, name, words[2], name, words[1], name))
                    .persistentVolume(name, name, "Bound", "data");
        }
        assertTrue(only().startsWith("NOTE LogicalVolume pvc-2: it is a Block copy"), only());
    }

    /** Data that a claim had must never be called nobody's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConvertedVolumeIsNotNobodys(boolean bound) {
        scene.oldDriver("topolvm.io")
                .without("CSINode", "n1")
                .with(
                        """
                        kind: CSINode
                        metadata: {name: n1}
                        spec: {drivers: [{name: topolvm.io}, {name: topolvm.cybozu.com}]}
                        """)
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume(
                        "pvc-1", "v1", bound ? "Bound" : "Released", "data", "topolvm.cybozu.com");
        if (bound) {
            assertEquals(0, ClusterFindings.of(scene.overview()).size());
        } else {
            assertEquals(
                    "NOTE PersistentVolume pvc-1: no claim has it; the last one was default/data",
                    only());
        }
    }

    /** Its LogicalVolumes were converted, or stay where NativeStor has them. */
    @ParameterizedTest
    @ValueSource(strings = {"topolvm.io", "topolvm.cybozu.com"})
    void anAgentThatDoesNotServeTheOldDriverSaysSo(String group) {
        scene.oldDriver(group);
        assertEquals(
                "ERROR node n1: kubelet has not registered topolvm.cybozu.com, so no pod gets a"
                        + " volume of it there",
                only());
    }

    /** Somebody else may serve it beside us. */
    @Test
    void anOldDriverThatIsNotConvertedIsNotExpectedOfOurAgent() {
        scene.foreignOldDriver();
        assertEquals(0, ClusterFindings.of(scene.overview()).size());
    }

    @Test
    void nothingIsWrongInAReleaseOfTopolvmThatWorks() {
        scene =
                Scene.topolvm()
                        .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                        .persistentVolume("pvc-1", "v1", "Bound", "data");
        assertEquals(0, ClusterFindings.of(scene.overview()).size());
    }

    @Test
    void aReleaseOfTopolvmNamesItsOwnProgramsAndItsFullClasses() {
        scene = Scene.topolvm().without("Pod", "topolvm-controller-0");
        assertEquals(
                "ERROR topolvm-controller: no claim gets a volume: topolvm-controller is not ready:"
                        + " it has no pod",
                only());
        scene = Scene.topolvm().without("Node", "n1").node("n1", true, "0");
        assertEquals(
                "WARNING node n1, class ssd: no volume fits there any more: 0 bytes are free",
                only());
        scene = Scene.topolvm().without("CSINode", "n1");
        assertEquals(
                "ERROR node n1: kubelet has not registered the driver, so no pod gets a volume"
                        + " there",
                only());
    }

    @Test
    void anEmptyClusterIsNotAnError() {
        scene.without("LVMCluster", "my");
        assertEquals("NOTE cluster: there is no LVMCluster, so no node has an agent", only());
    }

    @ParameterizedTest
    @CsvSource({"Failed, ERROR", "Degraded, ERROR", "Progressing, WARNING"})
    void aConditionThatDoesNotHoldSaysWhy(String state, String severity) {
        scene.without("LVMCluster", "my")
                .with(
                        """
                        kind: LVMCluster
                        metadata: {name: my, namespace: lvms-system}
                        status:
                          state: %s
                          conditions:
                            - {type: R, status: "False", reason: X, message: no disk}
                        """
                                .formatted(state));
        assertEquals(severity + " LVMCluster lvms-system/my: no disk", only());
    }

    @Test
    void anAgentThatCannotStartSaysItInItsPodsWords() {
        scene.without("Pod", "agent-1").pod("agent-1", "vg-manager", "n1", "lvms:1", false);
        assertEquals(
                "ERROR node n1: its agent, pod agent-1, is not ready: ErrImagePull: no such image",
                only());
    }

    @Test
    void withoutAnOperatorNoClaimIsServed() {
        scene.without("Pod", "operator-0");
        assertEquals(
                "ERROR operator: no claim gets a volume: the operator is not ready: it has no pod",
                only());
    }

    @Test
    void twoImagesAreASkew() {
        scene.node("n2", true, "1")
                .with(
                        "{kind: CSINode, metadata: {name: n2}, spec: {drivers: [{name:"
                                + " topolvm.io}]}}")
                .pod("agent-2", "vg-manager", "n2", "lvms:2", true);
        assertEquals(
                "WARNING versions: not every program runs the same image:"
                        + " lvms:1: operator, agent of n1; lvms:2: agent of n2",
                only());
    }

    @Test
    void aNodeWithoutAgentOrRegistrationIsSaid() {
        scene.node("n2", true, "1");
        assertEquals("ERROR node n2: it should have an agent, and there is no pod of one", only());
        scene.pod("agent-2", "vg-manager", "n2", "lvms:1", true);
        assertEquals(
                "ERROR node n2: kubelet has not registered the driver, so no pod gets a volume"
                        + " there",
                only());
    }

    @Test
    void aNodeThatIsAwaySaysHowManyVolumesItHas() {
        scene.node("n2", false, "1")
                .volume("pvc-1", "n2", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data");
        assertEquals("ERROR node n2: it is not ready; 1 volumes are on its disks", only());
    }

    @Test
    void aGroupSaysItsReason() {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .group("n1", "{name: ssd, status: Degraded, reason: a disk is lost}");
        assertEquals("ERROR node n1, class ssd: Degraded: a disk is lost", only());
    }

    @Test
    void aClassWithoutRoomIsSaid() {
        scene.without("Node", "n1").node("n1", true, "0");
        assertEquals(
                "WARNING node n1, class ssd: no volume fits there any more: 0 bytes are free",
                only());
    }

    @Test
    void aVolumeWithoutAnObjectIsSaid() {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .group(
                        "n1",
                        "{name: ssd, status: Ready, unclaimedVolumes: [{name: v9, size: 1Gi}]}");
        assertEquals("WARNING node n1, class ssd: volumes that no LogicalVolume names: v9", only());
    }

    @Test
    void aVolumeOfANodeThatIsGoneIsSaid() {
        scene.volume("pvc-1", "n7", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data");
        assertEquals("ERROR LogicalVolume pvc-1: its node n7 does not exist", only());
    }

    @Test
    void aFailedVolumeSaysItsMessage() {
        scene.volume("pvc-1", "n1", "{code: 8, message: no room}");
        assertEquals("WARNING LogicalVolume pvc-1: on node n1: no room", only());
    }

    @Test
    void whatWaitsForAnHourWaitsForAPerson() {
        scene.volume("pvc-1", "n1", "{}");
        assertEquals("WARNING LogicalVolume pvc-1: node n1 has not made it for 60m", only());
    }

    @Test
    void anOrphanIsSaid() {
        scene.volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}");
        assertEquals(
                "WARNING LogicalVolume pvc-1: neither a PersistentVolume nor a snapshot names it;"
                        + " it takes space on node n1",
                only());
        scene.with(
                "{kind: VolumeSnapshotContent, metadata: {name: c}, status: {snapshotHandle: v1}}");
        assertEquals(0, ClusterFindings.of(scene.overview()).size());
    }

    @Test
    void aPersistentVolumeWithoutALogicalVolumeIsSaid() {
        scene.persistentVolume("pvc-1", "v1", "Bound", "data");
        assertEquals(
                "ERROR PersistentVolume pvc-1: it has no LogicalVolume, so no pod can mount it",
                only());
    }

    @Test
    void aRetainedVolumeNamesItsLastClaim() {
        scene.volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Released", "data");
        assertEquals(
                "NOTE PersistentVolume pvc-1: no claim has it; the last one was default/data",
                only());
    }

    @Test
    void whatMayNotBeReadIsNotCalledMissing() {
        scene.volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-2", "v2", "Bound", "data")
                .unread(Types.NODE, Types.CSI_NODE, Types.POD, Types.PV, LogicalVolume.TYPE);
        assertEquals(0, ClusterFindings.of(scene.overview()).size());
    }
}
