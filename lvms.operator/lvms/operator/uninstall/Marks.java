package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ListTree;

import java.util.List;
import java.util.Set;

/** Our finalizers and annotations on objects. */
final class Marks {
    private static final Driver DRIVER = Driver.TOPOLVM;
    private static final Set<String> FINALIZERS =
            Set.of(
                    DRIVER.volumeFinalizer(),
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
        return object.finalizers().stream().filter(Marks::isOurs).toList();
    }

    private static boolean isOurs(String finalizer) {
        return FINALIZERS.contains(finalizer)
                || finalizer.startsWith(Names.NODE_CLEANUP_FINALIZER_PREFIX);
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
    static MergePatch releasing(ResourceType type, KubeObject object) {
        var patch = without(object, finalizers(object));
        return type.equals(DRIVER.logicalVolumes())
                ? patch.annotation(DRIVER.pendingDeletionAnnotation(), "true")
                : patch;
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
