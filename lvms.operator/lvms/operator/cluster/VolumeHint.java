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

/** Labels volumes with their node, and reports when one has lost its claim. */
public final class VolumeHint implements Reconciler<ObjectKey> {
    private final OperatorInformers informers;
    private final EventRecorder events;

    public VolumeHint(OperatorInformers informers, EventRecorder events) {
        this.informers = informers;
        this.events = events;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var volume = informers.persistentVolumes().get(key).filter(VolumeHint::isOfCluster);
        var driver =
                volume.flatMap(v -> v.text("spec", "csi", "driver"))
                        .flatMap(informers.drivers()::named);
        if (driver.isEmpty()) {
            return Result.done();
        }
        if (volume.get().object("spec", "claimRef").isEmpty()) {
            events.record(
                    volume.get(),
                    EventReason.CLAIM_REFERENCE_REMOVED,
                    "Claim reference has been removed. The volume keeps its data and its space on"
                            + " the node; delete the volume to free it.");
        }
        var node = VolumeAffinity.node(volume.get(), driver.get());
        if (node.isPresent() && !node.equals(volume.get().label(Names.HOSTNAME_LABEL))) {
            label(volume.get(), node.get());
        }
        return Result.done();
    }

    private static boolean isOfCluster(KubeObject volume) {
        return !volume.terminating()
                && volume.text("spec", "storageClassName")
                        .filter(name -> name.startsWith(Names.CLASS_PREFIX))
                        .isPresent();
    }

    private void label(KubeObject volume, String node) throws ApiException, InterruptedException {
        informers
                .persistentVolumes()
                .patch(MergePatch.of(volume).label(Names.HOSTNAME_LABEL, node));
    }
}
