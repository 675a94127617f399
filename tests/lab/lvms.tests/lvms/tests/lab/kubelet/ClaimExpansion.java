package lvms.tests.lab.kubelet;

import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Set;

/** Kubelet's half of growing a claim: the node's part, then the claim's status. */
final class ClaimExpansion {
    private static final Set<String> ENDED = Set.of("Resizing", "FileSystemResizePending");

    private final KubeClient kube;
    private final EventRecorder events;
    private final Volumes volumes;

    ClaimExpansion(KubeClient kube, EventRecorder events, Volumes volumes) {
        this.kube = kube;
        this.events = events;
        this.volumes = volumes;
    }

    /** Whether the volume has grown at the controller and the claim does not say so yet. */
    static boolean wanted(KubeObject claim, CsiVolume volume) {
        boolean waits = claim.condition("FileSystemResizePending").isPresent();
        return waits && volume.capacityBytes() > capacityBytes(claim);
    }

    private static long capacityBytes(KubeObject claim) {
        return claim.text("status", "capacity", "storage")
                .map(Quantity::parse)
                .map(Quantity::bytes)
                .orElse(0L);
    }

    /** Grows a mounted volume and reports it in the claim's status. */
    void grow(KubeObject pod, KubeObject claim, Volumes.Published published, CsiVolume grown)
            throws VolumeFailure, ApiException, InterruptedException {
        markInProgress(claim);
        volumes.expand(published, grown);
        var size = grown.object().text("spec", "capacity", "storage").orElseThrow();
        kube.mergePatchStatus(Types.PVC, claim.key(), finished(claim, size));
        events.record(
                pod,
                EventRecorder.Type.NORMAL,
                "FileSystemResizeSuccessful",
                "Resizing",
                "MountVolume.NodeExpandVolume succeeded for volume \"" + grown.name() + "\"");
    }

    private void markInProgress(KubeObject claim) throws ApiException, InterruptedException {
        var statuses = object("storage", "NodeResizeInProgress");
        var patch = object("status", object("allocatedResourceStatuses", statuses));
        kube.mergePatchStatus(Types.PVC, claim.key(), patch);
    }

    private static ObjectTree finished(KubeObject claim, String size) {
        var conditions = ListTree.builder();
        for (var condition : claim.objects("status", "conditions")) {
            if (!ENDED.contains(condition.at("type").asText())) {
                conditions.add(condition);
            }
        }
        return object(
                "status",
                object(
                        "capacity",
                        object("storage", size),
                        "conditions",
                        conditions.build(),
                        "allocatedResourceStatuses",
                        Tree.NULL));
    }
}
