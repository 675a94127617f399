package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Our finalizers and annotations on objects. */
final class Marks {
    private static final Set<String> FINALIZERS =
            Set.of(
                    Names.CLUSTER_FINALIZER,
                    TopolvmCluster.FINALIZER,
                    Names.NODE_STATUS_FINALIZER,
                    Names.LEGACY_VOLUME_GROUP_FINALIZER,
                    "external-provisioner.volume.kubernetes.io/finalizer",
                    "provisioner.storage.kubernetes.io/cloning-protection",
                    "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection",
                    "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection");

    private Marks() {}

    static List<String> finalizers(KubeObject object) {
        var ofVolume = driver(object).map(Driver::volumeFinalizer);
        return object.finalizers().stream()
                .filter(name -> isOurs(name) || ofVolume.filter(name::equals).isPresent())
                .toList();
    }

    private static boolean isOurs(String finalizer) {
        return FINALIZERS.contains(finalizer)
                || finalizer.startsWith(Names.NODE_CLEANUP_FINALIZER_PREFIX);
    }

    /** Returns the driver of a LogicalVolume; empty for other objects. */
    private static Optional<Driver> driver(KubeObject object) {
        return object.kind().equals(LogicalVolume.TYPE.kind())
                ? Optional.of(LogicalVolume.tolerant(object).driver())
                : Optional.empty();
    }

    /** Returns the nodes that hold an LVMVolumeGroup by a finalizer. */
    static List<String> nodesOf(KubeObject group) {
        return group.finalizers().stream()
                .filter(name -> name.startsWith(Names.NODE_CLEANUP_FINALIZER_PREFIX))
                .map(name -> name.substring(Names.NODE_CLEANUP_FINALIZER_PREFIX.length()))
                .toList();
    }

    /**
     * Takes our finalizers off. A LogicalVolume gets the mark that keeps an agent's hands off in
     * the same change, so that no agent ever sees one without the other.
     */
    static MergePatch releasing(KubeObject object) {
        var patch = without(object, finalizers(object));
        return driver(object)
                .map(of -> patch.annotation(of.pendingDeletionAnnotation(), "true"))
                .orElse(patch);
    }

    /**
     * Returns whether an object, as the server has it, may be deleted without anybody removing what
     * it stands for.
     */
    static boolean released(KubeObject object) {
        return finalizers(object).isEmpty()
                && (driver(object).isEmpty() || LogicalVolume.tolerant(object).pendingDeletion());
    }

    static MergePatch without(KubeObject object, List<String> finalizers) {
        return MergePatch.of(object)
                .ifUnchanged()
                .finalizers(
                        object.finalizers().stream()
                                .filter(name -> !finalizers.contains(name))
                                .toList());
    }

    /** Takes drivers off a CSINode. */
    static MergePatch unregistering(KubeObject csiNode, Drivers drivers) {
        var others = ListTree.builder();
        csiNode.objects("spec", "drivers").stream()
                .filter(driver -> !drivers.serve(driver.text("name").orElse("")))
                .forEach(others::add);
        return MergePatch.of(csiNode).ifUnchanged().set(others.build(), "spec", "drivers");
    }
}
