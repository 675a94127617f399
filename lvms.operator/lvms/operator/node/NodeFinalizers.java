package lvms.operator.node;

import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;

import java.util.TreeSet;

/** Removes the finalizers and annotations that a gone node can no longer remove. */
public final class NodeFinalizers {
    private final KubeClient kube;
    private final OperatorInformers informers;

    public NodeFinalizers(KubeClient kube, OperatorInformers informers) {
        this.kube = kube;
        this.informers = informers;
    }

    /** Returns whether there is no such node; the server decides, not a cache. */
    public boolean isGone(String node) throws ApiException, InterruptedException {
        return informers.nodes().get(ObjectKey.cluster(node)).isEmpty()
                && kube.find(Types.NODE, ObjectKey.cluster(node)).isEmpty();
    }

    /** Releases every LVMVolumeGroup and every LogicalVolume of all gone nodes. */
    public void releaseAll() throws ApiException, InterruptedException {
        var nodes = new TreeSet<String>();
        for (var volumeGroup : informers.volumeGroups().list()) {
            nodes.addAll(LvmVolumeGroup.of(volumeGroup).nodesWithFinalizer());
        }
        informers.everyLogicalVolume().forEach(volume -> nodes.add(volume.spec().nodeName()));
        for (var node : nodes) {
            if (isGone(node)) {
                releaseVolumeGroups(node);
                releaseLogicalVolumes(node);
            }
        }
    }

    /** Returns whether an LVMVolumeGroup notes that the node's disks were wiped. */
    boolean noted(String node) {
        var annotation = Names.wipedAnnotation(node);
        return informers.volumeGroups().list().stream()
                .anyMatch(group -> group.annotations().containsKey(annotation));
    }

    /** Removes the node's wipe annotation from every LVMVolumeGroup. */
    void forget(String node) throws ApiException, InterruptedException {
        var annotation = Names.wipedAnnotation(node);
        for (var volumeGroup : informers.volumeGroups().list()) {
            if (volumeGroup.annotations().containsKey(annotation)) {
                kube.mergePatch(
                        LvmVolumeGroup.TYPE,
                        MergePatch.of(volumeGroup).withoutAnnotation(annotation));
            }
        }
    }

    /** Removes the node's finalizer from every LVMVolumeGroup. */
    public void releaseVolumeGroups(String node) throws ApiException, InterruptedException {
        for (var volumeGroup : informers.volumeGroups().list()) {
            var finalizer = Names.nodeCleanupFinalizer(node);
            if (volumeGroup.finalizers().contains(finalizer)) {
                var now = kube.find(LvmVolumeGroup.TYPE, volumeGroup.key());
                if (now.isPresent()) {
                    kube.removeFinalizer(LvmVolumeGroup.TYPE, now.get(), finalizer);
                }
            }
        }
    }

    private void releaseLogicalVolumes(String node) throws ApiException, InterruptedException {
        for (var volume : informers.everyLogicalVolume().toList()) {
            if (volume.spec().nodeName().equals(node)
                    && volume.object().finalizers().contains(volume.driver().volumeFinalizer())) {
                release(volume);
            }
        }
    }

    /** Removes the finalizer by which a node keeps a LogicalVolume. */
    public void release(LogicalVolume volume) throws ApiException, InterruptedException {
        var driver = volume.driver();
        kube.removeFinalizer(driver.logicalVolumes(), volume.object(), driver.volumeFinalizer());
    }
}
