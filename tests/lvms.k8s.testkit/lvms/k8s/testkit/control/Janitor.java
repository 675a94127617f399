package lvms.k8s.testkit.control;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.write.Deleter;
import lvms.k8s.testkit.write.Writer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Establishes definitions, and empties namespaces and definitions that are deleted. */
public final class Janitor {
    private static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";
    private static final String NAMESPACES = "/namespaces";

    private final Cluster cluster;
    private final Writer writer;
    private final Deleter deleter;
    private final Map<String, JsonObject> served = new ConcurrentHashMap<>();

    public Janitor(Cluster cluster, Writer writer, Deleter deleter) {
        this.cluster = cluster;
        this.writer = writer;
        this.deleter = deleter;
    }

    public void react(String type, JsonObject object, boolean deleted) {
        if (type.equals(NAMESPACES)) {
            if (!deleted && Cluster.terminating(object)) {
                emptyNamespace(Json.text(object, "metadata", "name"));
            }
        } else if (type.equals(DEFINITIONS)) {
            definition(object, deleted);
        } else if (deleted) {
            lookAtContainers(object);
        }
    }

    /** The deleted object may have been the last one that held its namespace or definition. */
    private void lookAtContainers(JsonObject object) {
        var namespace = Json.text(object, "metadata", "namespace");
        cluster.namespace(namespace)
                .filter(Cluster::terminating)
                .ifPresent(_ -> emptyNamespace(namespace));
        for (var definition : cluster.store().list(DEFINITIONS).objects()) {
            if (Cluster.terminating(definition)) {
                removeDefinition(definition);
            }
        }
    }

    private void emptyNamespace(String name) {
        boolean empty = true;
        for (var resource : cluster.registry().stored()) {
            if (resource.namespaced()) {
                empty &= deleteAll(resource, name);
            }
        }
        if (!empty) {
            return;
        }
        var namespaces = cluster.registry().find("", "v1", "namespaces").orElseThrow();
        var key = new Key("", name);
        cluster.get(namespaces, key)
                .filter(Cluster::terminating)
                .ifPresent(present -> finalizeNamespace(namespaces, key, present));
    }

    /** Removes the namespace's own finalizer; ordinary finalizers still hold it. */
    private void finalizeNamespace(Resource namespaces, Key key, JsonObject present) {
        var object = present.deepCopy();
        Json.child(object, "spec").remove("finalizers");
        if (Json.list(object, "metadata", "finalizers").isEmpty()) {
            cluster.store().remove(namespaces.storage(), key, present, object);
        } else if (!object.equals(present)) {
            cluster.store().replace(namespaces.storage(), key, present, object);
        }
    }

    /** Deletes every object of a resource in a namespace; true when none is left. */
    private boolean deleteAll(Resource resource, String namespace) {
        boolean empty = true;
        for (var object : cluster.store().list(resource.storage()).objects()) {
            var key = Key.of(object);
            if (namespace.isEmpty() || key.namespace().equals(namespace)) {
                if (!Cluster.terminating(object)) {
                    delete(resource, key);
                }
                empty &= cluster.get(resource, key).isEmpty();
            }
        }
        return empty;
    }

    private void delete(Resource resource, Key key) {
        try {
            deleter.delete(Call.internal(resource, key), Deleter.Options.NONE);
        } catch (Refusal e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private void definition(JsonObject definition, boolean deleted) {
        var name = Json.text(definition, "metadata", "name");
        if (deleted) {
            served.remove(name);
            cluster.registry().forget(name);
            return;
        }
        if (Cluster.terminating(definition)) {
            setCondition(
                    name,
                    "Terminating",
                    "True",
                    "InstanceDeletionInProgress",
                    "CustomResource deletion is in progress");
            cluster.registry().retire(name);
            removeDefinition(definition);
            return;
        }
        var conflict = NameConflicts.find(cluster.registry(), definition);
        if (conflict.isPresent()) {
            setCondition(
                    name,
                    "NamesAccepted",
                    "False",
                    conflict.get().reason(),
                    conflict.get().message());
            setCondition(name, "Established", "False", "NotAccepted", "not all names are accepted");
            return;
        }
        var spec = definition.getAsJsonObject("spec");
        if (!spec.equals(served.put(name, spec))) {
            cluster.registry().define(definition);
            cluster.store().wakeAll();
        }
        accept(name);
    }

    private void accept(String name) {
        setCondition(name, "NamesAccepted", "True", "NoConflicts", "no conflicts found");
        setCondition(
                name,
                "Established",
                "True",
                "InitialNamesAccepted",
                "the initial names have been accepted");
    }

    private void removeDefinition(JsonObject definition) {
        var name = Json.text(definition, "metadata", "name");
        boolean empty = true;
        for (var resource : cluster.registry().stored()) {
            if (!resource.builtin() && resource.qualifiedPlural().equals(name)) {
                empty &= deleteAll(resource, "");
            }
        }
        if (empty) {
            change(
                    name,
                    "",
                    object -> {
                        var metadata = object.getAsJsonObject("metadata");
                        var left = new ArrayList<>(Json.texts(metadata, "finalizers"));
                        left.remove("customresourcecleanup.apiextensions.k8s.io");
                        metadata.add("finalizers", Json.array(left));
                        if (left.isEmpty()) {
                            metadata.remove("finalizers");
                        }
                    });
        }
    }

    private void setCondition(
            String name, String type, String status, String reason, String message) {
        change(
                name,
                "status",
                object -> {
                    var body = Json.child(object, "status");
                    if (status.equals("True") && type.equals("NamesAccepted")) {
                        body.add(
                                "acceptedNames",
                                object.getAsJsonObject("spec").get("names").deepCopy());
                    }
                    var conditions =
                            body.get("conditions") instanceof JsonArray a ? a : new JsonArray();
                    body.add("conditions", conditions);
                    merge(conditions, type, status, reason, message);
                });
    }

    private static void merge(
            JsonArray conditions, String type, String status, String reason, String message) {
        Optional<JsonObject> present =
                conditions.asList().stream()
                        .map(c -> c.getAsJsonObject())
                        .filter(c -> Json.text(c, "type").equals(type))
                        .findFirst();
        var condition = present.orElseGet(JsonObject::new);
        if (present.isEmpty()) {
            conditions.add(condition);
        }
        if (!Json.text(condition, "status").equals(status)) {
            condition.addProperty("lastTransitionTime", Scalars.time(Instant.now()));
        }
        condition.addProperty("type", type);
        condition.addProperty("status", status);
        condition.addProperty("reason", reason);
        condition.addProperty("message", message);
    }

    private void change(String name, String subresource, Consumer<JsonObject> change) {
        var resource =
                cluster.registry()
                        .find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                        .orElseThrow();
        var internal = Call.internal(resource, new Key("", name));
        var call = Call.of(internal.http(), resource, "", name, subresource, internal.user());
        try {
            writer.update(
                    call,
                    present -> {
                        change.accept(present);
                        return present;
                    },
                    false);
        } catch (Refusal e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
