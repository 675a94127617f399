package lvms.k8s.testkit.control;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.write.Deleter;
import lvms.k8s.testkit.write.Writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Garbage collection: dependents follow their owners, as the deletion asked. */
public final class Collector {
    private record Dependent(Resource resource, JsonObject object) {}

    private final Cluster cluster;
    private final Writer writer;
    private final Deleter deleter;

    public Collector(Cluster cluster, Writer writer, Deleter deleter) {
        this.cluster = cluster;
        this.writer = writer;
        this.deleter = deleter;
    }

    public void react(String type, JsonObject object, boolean deleted) {
        if (deleted) {
            ownerGone(object);
            releaseOwners(object);
        } else {
            var resource = resource(type);
            if (resource.isEmpty()) {
                return;
            }
            if (Cluster.terminating(object)) {
                leave(resource.get(), object);
            }
            collectIfOrphaned(new Dependent(resource.get(), object));
        }
    }

    /** A deleted owner takes its dependents along, unless another owner holds them. */
    private void ownerGone(JsonObject owner) {
        for (var dependent : dependents(owner)) {
            collectIfOrphaned(dependent);
        }
    }

    /** Deletes a dependent that has no living owner left; otherwise removes its dead owners. */
    private void collectIfOrphaned(Dependent dependent) {
        var references = Json.objects(dependent.object(), "metadata", "ownerReferences");
        if (references.isEmpty()) {
            return;
        }
        var living = references.stream().filter(r -> lives(dependent, r)).toList();
        if (living.isEmpty()) {
            if (!Cluster.terminating(dependent.object())) {
                delete(dependent, "Background");
            }
        } else if (living.size() < references.size()) {
            keepOwners(dependent, living);
        }
    }

    private boolean lives(Dependent dependent, JsonObject reference) {
        var resource =
                cluster.registry()
                        .ofKind(Json.text(reference, "apiVersion"), Json.text(reference, "kind"));
        if (resource.isEmpty()) {
            return true; // The real collector waits for the type to appear, too.
        }
        var dependentNamespace = Json.text(dependent.object(), "metadata", "namespace");
        if (resource.get().namespaced() && dependentNamespace.isEmpty()) {
            return true; // Unresolvable, so never collected.
        }
        var namespace = resource.get().namespaced() ? dependentNamespace : "";
        var owner = cluster.get(resource.get(), new Key(namespace, Json.text(reference, "name")));
        return owner.filter(o -> uid(o).equals(Json.text(reference, "uid"))).isPresent();
    }

    private void leave(Resource resource, JsonObject owner) {
        var finalizers = Json.texts(owner, "metadata", "finalizers");
        if (finalizers.contains(Deleter.ORPHAN)) {
            for (var dependent : dependents(owner)) {
                keepOwners(dependent, othersThan(owner, dependent));
            }
            removeFinalizer(resource, owner, Deleter.ORPHAN);
        } else if (finalizers.contains(Deleter.FOREGROUND)) {
            leaveForeground(resource, owner);
        }
    }

    private void leaveForeground(Resource resource, JsonObject owner) {
        boolean blocked = false;
        for (var dependent : dependents(owner)) {
            boolean blocking =
                    Json.objects(dependent.object(), "metadata", "ownerReferences").stream()
                            .anyMatch(
                                    r ->
                                            uid(owner).equals(Json.text(r, "uid"))
                                                    && Json.flag(r, "blockOwnerDeletion"));
            var others = othersThan(owner, dependent);
            if (others.stream().anyMatch(r -> lives(dependent, r))) {
                keepOwners(dependent, others);
                continue;
            }
            if (!Cluster.terminating(dependent.object())) {
                delete(dependent, blocking ? "Foreground" : "Background");
            }
            blocked |= blocking && stillThere(dependent);
        }
        if (!blocked) {
            removeFinalizer(resource, owner, Deleter.FOREGROUND);
        }
    }

    private boolean stillThere(Dependent dependent) {
        return cluster.get(dependent.resource(), Key.of(dependent.object()))
                .filter(o -> uid(o).equals(uid(dependent.object())))
                .isPresent();
    }

    /** The owner may have been waiting for this deleted dependent. */
    private void releaseOwners(JsonObject dependent) {
        for (var reference : Json.objects(dependent, "metadata", "ownerReferences")) {
            cluster.registry()
                    .ofKind(Json.text(reference, "apiVersion"), Json.text(reference, "kind"))
                    .ifPresent(resource -> release(resource, dependent, reference));
        }
    }

    private void release(Resource resource, JsonObject dependent, JsonObject reference) {
        var namespace = resource.namespaced() ? Json.text(dependent, "metadata", "namespace") : "";
        cluster.get(resource, new Key(namespace, Json.text(reference, "name")))
                .filter(Cluster::terminating)
                .ifPresent(owner -> leave(resource, owner));
    }

    private static List<JsonObject> othersThan(JsonObject owner, Dependent dependent) {
        return Json.objects(dependent.object(), "metadata", "ownerReferences").stream()
                .filter(r -> !uid(owner).equals(Json.text(r, "uid")))
                .toList();
    }

    private List<Dependent> dependents(JsonObject owner) {
        var result = new ArrayList<Dependent>();
        for (var resource : cluster.registry().stored()) {
            for (var object : cluster.store().list(resource.storage()).objects()) {
                if (Json.objects(object, "metadata", "ownerReferences").stream()
                        .anyMatch(r -> uid(owner).equals(Json.text(r, "uid")))) {
                    result.add(new Dependent(resource, object));
                }
            }
        }
        return result;
    }

    private void keepOwners(Dependent dependent, List<JsonObject> owners) {
        var kept = new JsonArray();
        owners.forEach(owner -> kept.add(owner.deepCopy()));
        change(
                dependent.resource(),
                dependent.object(),
                metadata -> {
                    if (kept.isEmpty()) {
                        metadata.remove("ownerReferences");
                    } else {
                        metadata.add("ownerReferences", kept.deepCopy());
                    }
                });
    }

    private void removeFinalizer(Resource resource, JsonObject object, String finalizer) {
        change(
                resource,
                object,
                metadata -> {
                    var left = new ArrayList<>(Json.texts(metadata, "finalizers"));
                    left.remove(finalizer);
                    metadata.add("finalizers", Json.array(left));
                    if (left.isEmpty()) {
                        metadata.remove("finalizers");
                    }
                });
    }

    private void change(Resource resource, JsonObject object, Consumer<JsonObject> change) {
        try {
            writer.update(
                    Call.internal(resource, Key.of(object)),
                    present -> {
                        if (uid(present).equals(uid(object))) {
                            change.accept(present.getAsJsonObject("metadata"));
                        }
                        return present;
                    },
                    true);
        } catch (Refusal e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private void delete(Dependent dependent, String policy) {
        var options =
                new Deleter.Options(Optional.empty(), uid(dependent.object()), "", policy, false);
        boolean nothingBelow = dependents(dependent.object()).isEmpty();
        var effective =
                nothingBelow || policy.equals("Background")
                        ? new Deleter.Options(Optional.empty(), options.uid(), "", "", false)
                        : options;
        try {
            deleter.delete(
                    Call.internal(dependent.resource(), Key.of(dependent.object())), effective);
        } catch (Refusal e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }

    private Optional<Resource> resource(String type) {
        return cluster.registry().stored().stream()
                .filter(r -> r.storage().equals(type))
                .findFirst();
    }

    private static String uid(JsonObject object) {
        return Json.text(object, "metadata", "uid");
    }
}
