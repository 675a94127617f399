package lvms.operator.node;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.operator.claim.Claim;

import java.util.Optional;

/**
 * A claim with what decides whether its data may be lost. Pure.
 *
 * @param claim the claim
 * @param storageClass its class, if there is one
 * @param volume its volume, if there is one
 * @param place node of the volume, if it is one of ours
 */
record DisposableVolume(
        KubeObject claim,
        Optional<KubeObject> storageClass,
        Optional<KubeObject> volume,
        Optional<String> place) {
    private static final Optional<String> DELETE = Optional.of("Delete");

    /** Returns whether somebody said that the claim is disposable; what the claim says wins. */
    static boolean isMarked(KubeObject claim, Optional<KubeObject> storageClass) {
        return claim.annotation(Names.DISPOSABLE_ANNOTATION)
                .or(() -> storageClass.flatMap(c -> c.annotation(Names.DISPOSABLE_ANNOTATION)))
                .filter("true"::equals)
                .isPresent();
    }

    /** Returns why its data may not be lost so that its pods can leave a node. */
    Optional<DisposalObstacle> obstacle(String node) {
        if (!isMarked(claim, storageClass)) {
            return Optional.of(DisposalObstacle.NOT_MARKED);
        }
        if (claim.terminating() || volume.filter(KubeObject::terminating).isPresent()) {
            return Optional.of(DisposalObstacle.ENDING);
        }
        if (volume.filter(this::isItsOwn).isEmpty()) {
            return Optional.of(DisposalObstacle.NOT_BOUND);
        }
        if (!volume.get().text("spec", "persistentVolumeReclaimPolicy").equals(DELETE)) {
            return Optional.of(DisposalObstacle.RETAINED);
        }
        return place.filter(node::equals).isPresent()
                ? Optional.empty()
                : Optional.of(DisposalObstacle.OTHER_PLACE);
    }

    private boolean isItsOwn(KubeObject found) {
        return found.name().equals(new Claim(claim).volumeName())
                && found.text("spec", "claimRef", "uid").equals(Optional.of(claim.uid()));
    }

    /** Returns whether it keeps a pod on a node. A claim that ends will not do so for long. */
    boolean pins() {
        return new Claim(claim).bound()
                && !claim.terminating()
                && volume.filter(found -> found.object("spec", "nodeAffinity").isEmpty()).isEmpty();
    }
}
