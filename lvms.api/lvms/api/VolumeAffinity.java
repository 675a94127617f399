package lvms.api;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Optional;

/** The node that a PersistentVolume names as its place. */
public final class VolumeAffinity {
    private VolumeAffinity() {}

    /**
     * Returns the affinity of a volume.
     *
     * @param topology value of the node's topology label
     */
    public static ObjectTree of(Driver driver, String topology) {
        var expression = ObjectTree.builder();
        expression.put("key", driver.topologyKey());
        expression.put("operator", "In");
        expression.put("values", ListTree.ofTexts(List.of(topology)));
        var term = ObjectTree.builder();
        term.put("matchExpressions", ListTree.of(expression.build()));
        var required = ObjectTree.builder();
        required.put("nodeSelectorTerms", ListTree.of(term.build()));
        var affinity = ObjectTree.builder();
        affinity.put("required", required.build());
        return affinity.build();
    }

    /** Returns the node that the volume's affinity names. */
    public static Optional<String> node(KubeObject volume, Driver driver) {
        return volume.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms").stream()
                .flatMap(term -> term.objects("matchExpressions").stream())
                .filter(requirement -> namesNode(requirement, driver))
                .flatMap(requirement -> requirement.texts("values").stream())
                .findFirst();
    }

    private static boolean namesNode(ObjectTree requirement, Driver driver) {
        return requirement.text("key").filter(driver.topologyKey()::equals).isPresent()
                && requirement.text("operator").filter("In"::equals).isPresent();
    }
}
