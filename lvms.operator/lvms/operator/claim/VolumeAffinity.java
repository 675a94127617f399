package lvms.operator.claim;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/** The node that a PersistentVolume names as its place. */
public final class VolumeAffinity {
    private VolumeAffinity() {}

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
