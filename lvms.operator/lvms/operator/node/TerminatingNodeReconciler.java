package lvms.operator.node;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;

import java.util.List;
import java.util.stream.Collectors;

/**
 * When a Node is deleted: deletes the claims that were bound to it and its LogicalVolumes, then
 * lets the Node go. The agent of that node leaves LVM alone.
 */
public final class TerminatingNodeReconciler implements Reconciler {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final boolean cleanUp;

    public TerminatingNodeReconciler(
            KubeClient kube, OperatorInformers informers, boolean cleanUp) {
        this.kube = kube;
        this.informers = informers;
        this.cleanUp = cleanUp;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var node = informers.nodes().get(key);
        var finalizers = node.map(this::finalizers).orElse(List.of());
        if (finalizers.isEmpty() || !node.get().terminating()) {
            return Result.done();
        }
        if (cleanUp) {
            deleteClaims(key.name());
            deleteLogicalVolumes(key.name());
        }
        var now = kube.find(Types.NODE, key).filter(n -> n.uid().equals(node.get().uid()));
        for (var finalizer : finalizers) {
            if (now.isPresent()) {
                now = kube.removeFinalizer(Types.NODE, now.get(), finalizer);
            }
        }
        return Result.done();
    }

    private List<String> finalizers(KubeObject node) {
        return informers.drivers().all().stream()
                .map(Driver::nodeFinalizer)
                .filter(node.finalizers()::contains)
                .toList();
    }

    private void deleteClaims(String node) throws ApiException, InterruptedException {
        var classes =
                informers.storageClasses().list().stream()
                        .filter(
                                c ->
                                        c.text("provisioner")
                                                .filter(informers.drivers()::serve)
                                                .isPresent())
                        .map(KubeObject::name)
                        .collect(Collectors.toSet());
        for (var claim : informers.claims().list()) {
            boolean selected =
                    claim.annotation(Names.SELECTED_NODE_ANNOTATION)
                            .filter(node::equals)
                            .isPresent();
            boolean ours =
                    claim.text("spec", "storageClassName").filter(classes::contains).isPresent();
            if (selected && ours && !claim.terminating()) {
                kube.delete(Types.PVC, claim.key(), DeleteOptions.uid(claim.uid()));
            }
        }
    }

    private void deleteLogicalVolumes(String node) throws ApiException, InterruptedException {
        for (var volume : informers.everyLogicalVolume().toList()) {
            if (volume.spec().nodeName().equals(node)) {
                release(volume.driver(), volume.object().key());
            }
        }
    }

    // Mark and finalizer change in one patch, so the agent never sees one without the other.
    private void release(Driver driver, ObjectKey key) throws ApiException, InterruptedException {
        var present = kube.find(driver.logicalVolumes(), key);
        if (present.isEmpty()) {
            return;
        }
        var volume = present.get();
        if (volume.finalizers().contains(driver.volumeFinalizer())) {
            try {
                kube.mergePatch(driver.logicalVolumes(), releasing(driver, volume));
            } catch (ApiException.NotFound _) {
                return; // it was terminating, and is gone by now
            }
        }
        kube.delete(driver.logicalVolumes(), key, DeleteOptions.uid(volume.uid()));
    }

    private static MergePatch releasing(Driver driver, KubeObject volume) {
        return MergePatch.of(volume)
                .ifUnchanged()
                .annotation(driver.pendingDeletionAnnotation(), "true")
                .finalizers(
                        volume.finalizers().stream()
                                .filter(name -> !name.equals(driver.volumeFinalizer()))
                                .toList());
    }
}
