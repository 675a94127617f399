package lvms.operator.informer;

import lvms.api.Drivers;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.claim.Claim;

import java.util.List;

/**
 * What a cache keeps of a claim. Anyone with a namespace may write claims of a megabyte each, so
 * only the fields that are read are kept, of a claim that another driver serves only what names it,
 * and of one that is too large even so no more than that. Pure functions.
 */
final class ClaimTrim {
    /** As JSON text; a claim with every field in use has about 1,500. */
    static final int MOST_CHARACTERS = 8192;

    /** No annotation that is read has a longer value; names of nodes end at 253. */
    private static final int MOST_OF_ANNOTATION = 512;

    private static final List<String[]> IDENTITY =
            List.of(
                    path("apiVersion"),
                    path("kind"),
                    path("metadata", "name"),
                    path("metadata", "namespace"),
                    path("metadata", "uid"),
                    path("metadata", "resourceVersion"),
                    path("metadata", "deletionTimestamp"),
                    path("spec", "storageClassName"),
                    path("spec", "volumeName"),
                    path("status", "phase"));

    private static final List<String[]> READ =
            List.of(
                    path("metadata", "finalizers"),
                    path("spec", "accessModes"),
                    path("spec", "dataSource"),
                    path("spec", "dataSourceRef"),
                    path("spec", "resources", "requests", "storage"),
                    path("spec", "volumeAttributesClassName"),
                    path("spec", "volumeMode"),
                    path("status", "allocatedResourceStatuses", "storage"),
                    path("status", "allocatedResources", "storage"),
                    path("status", "capacity", "storage"),
                    path("status", "conditions"),
                    path("status", "currentVolumeAttributesClassName"),
                    path("status", "modifyVolumeStatus"));

    private ClaimTrim() {}

    private static String[] path(String... names) {
        return names;
    }

    static KubeObject of(Drivers drivers, KubeObject claim) {
        var stub = identity(claim);
        var provisioner = new Claim(stub).provisioner();
        if (!provisioner.isEmpty() && !drivers.serve(provisioner)) {
            return stub;
        }
        var kept = copied(stub, claim, READ);
        if (claim.object("spec", "selector").isPresent()) {
            kept = kept.with(ObjectTree.EMPTY, "spec", "selector"); // that there is one is read
        }
        return kept.toJson().length() > MOST_CHARACTERS ? Claim.tooLarge(stub) : kept;
    }

    private static KubeObject identity(KubeObject claim) {
        var stub = copied(KubeObject.of(ObjectTree.EMPTY), claim, IDENTITY);
        for (var name : Claim.ANNOTATIONS) {
            var value = claim.annotation(name).filter(v -> v.length() <= MOST_OF_ANNOTATION);
            if (value.isPresent()) {
                stub = stub.with(value.get(), "metadata", "annotations", name);
            }
        }
        return stub;
    }

    private static KubeObject copied(KubeObject to, KubeObject from, List<String[]> paths) {
        var copy = to;
        for (var path : paths) {
            var value = from.value(path).filter(v -> !isEmpty(v));
            if (value.isPresent()) {
                copy = copy.with(value.get(), path);
            }
        }
        return copy;
    }

    private static boolean isEmpty(Tree value) {
        return value.isNull() || value instanceof ListTree list && list.isEmpty();
    }
}
