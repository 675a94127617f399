package lvms.operator.provision;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.claim.Claim;

/**
 * Whether a claim may be copied from a source in another namespace: only if a ReferenceGrant there
 * allows it. The grants are read when such a claim is served, so nobody else pays for them.
 *
 * <p>Source: KEP-3294; gateway.networking.k8s.io/v1beta1, ReferenceGrant.
 */
final class ReferenceGrants {
    static final ResourceType TYPE =
            new ResourceType(
                    "gateway.networking.k8s.io",
                    "v1beta1",
                    "ReferenceGrant",
                    "referencegrants",
                    true);

    private static final String FLAG = "--cross-namespace-volume-data-source";

    private final KubeClient kube;
    private final boolean enabled;

    /**
     * Builds it; no request is sent.
     *
     * @param enabled whether this installation copies from other namespaces at all
     */
    ReferenceGrants(KubeClient kube, boolean enabled) {
        this.kube = kube;
        this.enabled = enabled;
    }

    /**
     * Checks that the claim may be copied from its source.
     *
     * @throws VolumeException INVALID_ARGUMENT if that is turned off
     * @throws VolumeException FAILED_PRECONDITION if nobody has allowed it yet, or it cannot be
     *     known
     */
    void require(Claim claim, Claim.DataSource source)
            throws VolumeException, ApiException, InterruptedException {
        var key = source.key(claim.key());
        if (key.namespace().equals(claim.key().namespace())) {
            return;
        }
        if (!enabled) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "a data source in another namespace needs the flag " + FLAG);
        }
        if (!kube.serves(TYPE)) {
            throw unserved();
        }
        try {
            if (!granted(claim, source)) {
                throw notYet(
                        ("no ReferenceGrant in namespace %s lets PersistentVolumeClaims of"
                                        + " namespace %s refer to %s %s")
                                .formatted(
                                        key.namespace(),
                                        claim.key().namespace(),
                                        source.kind(),
                                        key.name()));
            }
        } catch (ApiException.NotFound | ApiException.Misdirected _) {
            throw unserved(); // since a moment ago
        } catch (ApiException.Forbidden e) {
            throw notYet("ReferenceGrants cannot be read: " + e.getMessage());
        }
    }

    private static VolumeException unserved() {
        return notYet("this cluster has no ReferenceGrants (" + TYPE.apiVersion() + ")");
    }

    /** Returns whether the claim may be copied from its source; what cannot be known is a no. */
    boolean allow(Claim claim, Claim.DataSource source) throws ApiException, InterruptedException {
        try {
            require(claim, source);
            return true;
        } catch (VolumeException _) {
            return false; // the claim's own pass says why
        }
    }

    private boolean granted(Claim claim, Claim.DataSource source)
            throws ApiException, InterruptedException {
        var namespace = source.key(claim.key()).namespace();
        return kube.list(TYPE, ListOptions.all().namespace(namespace)).items().stream()
                .anyMatch(grant -> allows(grant, claim, source));
    }

    private static boolean allows(KubeObject grant, Claim claim, Claim.DataSource source) {
        return grant.list("spec", "from").objects().stream()
                        .anyMatch(from -> isFrom(from, claim.key()))
                && grant.list("spec", "to").objects().stream().anyMatch(to -> isTo(to, source));
    }

    private static boolean isFrom(ObjectTree from, ObjectKey claim) {
        return from.text("group").orElse("").isEmpty()
                && from.text("kind").orElse("").equals(Types.PVC.kind())
                && from.text("namespace").orElse("").equals(claim.namespace());
    }

    /** Without a name it is for all of the kind. */
    private static boolean isTo(ObjectTree to, Claim.DataSource source) {
        var name = to.text("name").orElse("");
        return to.text("group").orElse("").equals(source.group())
                && to.text("kind").orElse("").equals(source.kind())
                && (name.isEmpty() || name.equals(source.name()));
    }

    private static VolumeException notYet(String text) {
        return new VolumeException(StatusCode.FAILED_PRECONDITION, text);
    }
}
