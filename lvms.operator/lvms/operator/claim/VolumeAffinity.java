package lvms.operator.claim;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Optional;
import java.util.stream.Stream;

/** The node that a PersistentVolume names as its place. */
public final class VolumeAffinity {
    private VolumeAffinity() {}

    /** Returns the node that the volume's affinity names. */
    public static Optional<String> node(KubeObject volume, Driver driver) {
        return volume.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms").stream()
                .flatMap(term -> elements(term, "matchExpressions"))
                .filter(ObjectTree.class::isInstance)
                .map(Tree::asObject)
                .filter(requirement -> namesNode(requirement, driver))
                .flatMap(requirement -> elements(requirement, "values"))
                .flatMap(value -> value.text().stream())
                .findFirst();
    }

    private static boolean namesNode(ObjectTree requirement, Driver driver) {
        return requirement.text("key").filter(driver.topologyKey()::equals).isPresent()
                && requirement.text("operator").filter("In"::equals).isPresent();
    }

    private static Stream<Tree> elements(ObjectTree tree, String name) {
        return tree.at(name) instanceof ListTree array ? array.elements().stream() : Stream.empty();
    }
}
