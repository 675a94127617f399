package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** The first thing that is in a claim's way is the answer, with its node and whose turn it is. */
class ClaimExplanationTests {
    private Scene scene = Scene.working();

    private Scene claim(String spec, String status) {
        return scene.with(
                """
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default, uid: u1}
                spec: {resources: {requests: {storage: 512Mi}}, %s}
                status: %s
                """
                        .formatted(spec, status));
    }

    private Scene selected(String node) {
        return scene.with(
                """
                kind: PersistentVolumeClaim
                metadata:
                  name: data
                  namespace: default
                  uid: u1
                  annotations: {volume.kubernetes.io/selected-node: %s}
                spec: {resources: {requests: {storage: 512Mi}}, storageClassName: lvms-ssd}
                status: {phase: Pending}
                """
                        .formatted(node));
    }

    private void requireAnswer(String why, String node, String who) {
        var answer = scene.explanation();
        assertEquals(why, answer.why());
        assertEquals(Optional.of(node).filter(n -> !n.isEmpty()), answer.node());
        assertEquals(who, answer.who());
    }

    /** StorageClasses of the old driver go on making volumes once it is converted. */
    @Test
    void aClassOfTheOldDriverIsOursWhereTheDriverIs() {
        scene.with(
                """
                kind: StorageClass
                metadata: {name: old}
                provisioner: topolvm.cybozu.com
                volumeBindingMode: WaitForFirstConsumer
                parameters: {topolvm.cybozu.com/device-class: ssd}
                """);
        claim("storageClassName: old", "{phase: Pending}");
        requireAnswer(
                "StorageClass old belongs to the driver topolvm.cybozu.com, not to lvms",
                "",
                "whoever runs topolvm.cybozu.com");
        scene.oldDriver("topolvm.io");
        requireAnswer(
                "no pod uses it yet; its volume is made when the first one does",
                "",
                "the author of the claim, who makes a pod; nothing is wrong");
    }

    @Test
    void aReleaseOfTopolvmMakesVolumesAsTheOperatorDoes() {
        scene =
                Scene.topolvm()
                        .with(
                                """
                                kind: StorageClass
                                metadata: {name: lvms-ssd}
                                provisioner: topolvm.io
                                parameters: {topolvm.io/device-class: ssd}
                                """);
        selected("n1");
        requireAnswer(
                "topolvm-controller has not begun yet", "n1", "nobody: look again in a minute");
        scene.without("Pod", "topolvm-controller-0");
        requireAnswer(
                "topolvm-controller is not ready: lvms doctor says why",
                "n1",
                "an administrator of the cluster");
    }

    @Test
    void itNamesNoClassOrOneThatDoesNotExist() {
        claim("accessModes: []", "{phase: Pending}");
        requireAnswer(
                "it names no StorageClass, and the cluster has no default one",
                "",
                "the author of the claim");
        scene.without("PersistentVolumeClaim", "data");
        claim("storageClassName: nope", "{phase: Pending}");
        requireAnswer("StorageClass nope does not exist", "", "the author of the claim");
    }

    @Test
    void itsClassBelongsToAnotherDriver() {
        scene.with("{kind: StorageClass, metadata: {name: nfs}, provisioner: nfs.io}");
        claim("storageClassName: nfs", "{phase: Pending}");
        requireAnswer(
                "StorageClass nfs belongs to the driver nfs.io, not to lvms",
                "",
                "whoever runs nfs.io");
    }

    @Test
    void noPodUsesItYet() {
        claim("storageClassName: lvms-ssd", "{phase: Pending}");
        requireAnswer(
                "no pod uses it yet; its volume is made when the first one does",
                "",
                "the author of the claim, who makes a pod; nothing is wrong");
    }

    private void podWaits(String message) {
        scene.with(
                """
                kind: Pod
                metadata: {name: app, namespace: default}
                spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}
                status: {conditions: [{type: PodScheduled, status: "False", message: "%s"}]}
                """
                        .formatted(message));
    }

    @Test
    void thePodHasNoNodeForAnotherReason() {
        claim("storageClassName: lvms-ssd", "{phase: Pending}");
        podWaits("1 Insufficient memory");
        requireAnswer(
                "pod default/app has no node: 1 Insufficient memory; 512MiB requested of class ssd,"
                        + " free: n1 1GiB",
                "",
                "whoever wrote the pod: no node allows all that it asks for");
    }

    @Test
    void noNodeHasRoom() {
        scene.without("Node", "n1").node("n1", true, "1048576");
        claim("storageClassName: lvms-ssd", "{phase: Pending}");
        podWaits("1 did not have enough free storage");
        requireAnswer(
                "pod default/app has no node: 1 did not have enough free storage; 512MiB requested"
                        + " of class ssd, free: n1 1MiB",
                "",
                "an administrator of the storage: no node has enough room");
    }

    @Test
    void theOperatorIsAway() {
        scene.without("Pod", "operator-0");
        selected("n1");
        requireAnswer(
                "the operator is not ready: lvms doctor says why",
                "n1",
                "an administrator of the cluster");
    }

    @Test
    void theChosenNodeIsAway() {
        scene.node("n2", false, "1073741824");
        selected("n2");
        requireAnswer("node n2 is not ready", "n2", "an administrator of the cluster");
        scene.without("PersistentVolumeClaim", "data");
        selected("n9");
        requireAnswer("node n9 does not exist", "n9", "an administrator of the cluster");
    }

    @Test
    void theLastFailureOfTheOperatorIsTheReason() {
        selected("n1");
        scene.with(
                "{kind: Event, metadata: {name: e}, reason: ProvisioningFailed, note: no such fs}");
        requireAnswer("no such fs", "n1", "an administrator of the storage");
    }

    @Test
    void theNodeIsAtWork() {
        selected("n1").volume("pvc-u1", "n1", "{}");
        requireAnswer("the node is making its volume", "n1", "nobody: look again in a minute");
    }

    @Test
    void theNodesGroupIsBroken() {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .group("n1", "{name: ssd, status: Failed, reason: no disk}");
        selected("n1").volume("pvc-u1", "n1", "{}");
        requireAnswer("class ssd is Failed: no disk", "n1", "an administrator of the storage");
    }

    @Test
    void theNodeCouldNotMakeIt() {
        selected("n1").volume("pvc-u1", "n1", "{code: 8, message: 0 bytes are free}");
        requireAnswer(
                "the node could not make its volume: 0 bytes are free",
                "n1",
                "an administrator of the storage: it lacks room");
    }

    @Test
    void theHandOverIsNext() {
        selected("n1").volume("pvc-u1", "n1", "{volumeID: v1, currentSize: 512Mi}");
        requireAnswer(
                "its volume exists, and the operator has to write its PersistentVolume",
                "n1",
                "nobody: look again in a minute");
        scene.persistentVolume("pvc-u1", "v1", "Available", "data");
        requireAnswer(
                "its PersistentVolume exists, and kube-controller-manager has to bind it",
                "n1",
                "an administrator of the cluster");
    }

    @Test
    void aBoundClaimDoesNotWait() {
        scene.volume("pvc-u1", "n1", "{volumeID: v1, currentSize: 512Mi}")
                .persistentVolume("pvc-u1", "v1", "Bound", "data");
        claim("volumeName: pvc-u1", "{phase: Bound, capacity: {storage: 512Mi}}");
        assertFalse(scene.explanation().waits());
        requireAnswer("it is bound, and has its size", "n1", "");
    }

    @Test
    void aBoundClaimMayWaitForItsGrowth() {
        scene.volume("pvc-u1", "n1", "{volumeID: v1, currentSize: 256Mi, message: no room}")
                .persistentVolume("pvc-u1", "v1", "Bound", "data");
        claim("volumeName: pvc-u1", "{phase: Bound, capacity: {storage: 256Mi}}");
        requireAnswer("it is bound, and grows: no room", "n1", "an administrator of the storage");
    }

    @Test
    void aClaimThatIsBeingDeletedWaitsForItsPods() {
        scene.with(
                """
                kind: PersistentVolumeClaim
                metadata:
                  name: data
                  namespace: default
                  deletionTimestamp: "2026-01-02T11:00:00Z"
                  finalizers: [kubernetes.io/pvc-protection]
                spec: {volumeName: pvc-u1}
                """);
        requireAnswer(
                "it is being deleted; finalizers: kubernetes.io/pvc-protection",
                "",
                "whoever set these finalizers");
        podWaits("");
        requireAnswer(
                "it is being deleted, and pods use it: default/app",
                "",
                "whoever runs these pods: delete them");
    }

    @Test
    void whatMayNotBeReadIsNotGuessed() {
        selected("n1");
        scene.unread(Types.NODE, Types.POD, Types.CSI_NODE);
        requireAnswer("the operator has not begun yet", "n1", "nobody: look again in a minute");
    }
}
