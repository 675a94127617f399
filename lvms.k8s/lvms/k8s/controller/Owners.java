package lvms.k8s.controller;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.ResourceType;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the owners of an object by its {@code metadata.ownerReferences}.
 *
 * <p>Group and kind have to match, and no version: an owner has several. An owner that lives in
 * namespaces is in the one of the object, as the garbage collector sees it; so an object of the
 * cluster has none of that type. UIDs are not compared: a reconciler reads the owner by its key.
 */
public final class Owners {
    private Owners() {}

    /** Returns what finds all owners of this type. */
    public static Function<KubeObject, Collection<ObjectKey>> of(ResourceType owner) {
        return among(owner, _ -> true);
    }

    /** Returns what finds the owner that manages the object ({@code controller: true}). */
    public static Function<KubeObject, Collection<ObjectKey>> controllers(ResourceType owner) {
        return among(owner, OwnerReference::controller);
    }

    private static Function<KubeObject, Collection<ObjectKey>> among(
            ResourceType owner, Predicate<OwnerReference> which) {
        return object ->
                object.ownerReferences().stream()
                        .filter(which)
                        .filter(reference -> reference.group().equals(owner.group()))
                        .filter(reference -> reference.kind().equals(owner.kind()))
                        .flatMap(reference -> key(object, owner, reference).stream())
                        .distinct()
                        .toList();
    }

    private static Optional<ObjectKey> key(
            KubeObject object, ResourceType owner, OwnerReference reference) {
        if (!owner.namespaced()) {
            return Optional.of(ObjectKey.cluster(reference.name()));
        }
        return object.namespace().isEmpty()
                ? Optional.empty()
                : Optional.of(ObjectKey.of(object.namespace(), reference.name()));
    }
}
