package lvms.operator.cluster;

import lvms.api.Names;
import lvms.api.VolumeAffinity;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;

import java.util.Optional;

/** Labels volumes with their node, and reports when one has lost its claim. */
public final class VolumeHint implements Reconciler<ObjectKey> {
    private final OperatorInformers informers;
    private final EventRecorder events;

    public VolumeHint(OperatorInformers informers, EventRecorder events) {
        this.informers = informers;
        this.events = events;
    }

    /** Whether there is anything to do about a volume, which is seldom. */
    public boolean concerns(KubeObject volume) {
        return isOfCluster(volume) && (isWithoutClaim(volume) || missingLabel(volume).isPresent());
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = informers.persistentVolumes().get(key).filter(this::isOfCluster);
        if (found.isEmpty()) {
            return Result.done();
        }
        var volume = found.get();
        if (isWithoutClaim(volume)) {
            events.record(
                    volume,
                    EventReason.CLAIM_REFERENCE_REMOVED,
                    "Claim reference has been removed. The volume keeps its data and its space on"
                            + " the node; delete the volume to free it.");
        }
        var node = missingLabel(volume);
        if (node.isPresent()) {
            label(volume, node.get());
        }
        return Result.done();
    }

    private boolean isOfCluster(KubeObject volume) {
        return !volume.terminating()
                && volume.text("spec", "storageClassName")
                        .filter(name -> name.startsWith(Names.CLASS_PREFIX))
                        .isPresent()
                && informers.drivers().ofVolume(volume).isPresent();
    }

    private static boolean isWithoutClaim(KubeObject volume) {
        return volume.object("spec", "claimRef").isEmpty();
    }

    /** Returns the node that its label does not name. */
    private Optional<String> missingLabel(KubeObject volume) {
        return informers
                .drivers()
                .ofVolume(volume)
                .flatMap(driver -> VolumeAffinity.node(volume, driver))
                .filter(node -> !volume.label(Names.HOSTNAME_LABEL).equals(Optional.of(node)));
    }

    private void label(KubeObject volume, String node) throws ApiException, InterruptedException {
        informers
                .persistentVolumes()
                .patch(MergePatch.of(volume).label(Names.HOSTNAME_LABEL, node));
    }
}
