package lvms.k8s.testkit.write;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;

import java.util.List;

/** What an update may set in metadata, and what it keeps from the present object. */
final class UpdatedMetadata {
    private static final List<String> SERVER_OWNED =
            List.of(
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "generation",
                    "selfLink",
                    "generateName");

    private UpdatedMetadata() {}

    /** Refuses an update that names another object or another version. */
    static void check(Call call, JsonObject present, JsonObject candidate) {
        var metadata = candidate.getAsJsonObject("metadata");
        checkPlace(call, metadata);
        var uid = Json.text(metadata, "uid");
        var known = Json.text(present, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(known)) {
            throw Refusal.conflict(
                    call.resource(),
                    call.name(),
                    "Precondition failed: UID in precondition: "
                            + uid
                            + ", UID in object meta: "
                            + known);
        }
        checkRevision(call, present, metadata);
    }

    private static void checkPlace(Call call, JsonObject metadata) {
        var name = Json.text(metadata, "name");
        if (!name.equals(call.name()) && !name.isEmpty()) {
            throw Refusal.badRequest(
                    "the name of the object ("
                            + name
                            + ") does not match the name on the URL ("
                            + call.name()
                            + ")");
        }
        if (name.isEmpty()) {
            throw Refusal.badRequest("name must be provided");
        }
        var namespace = Json.text(metadata, "namespace");
        if (call.resource().namespaced()
                && !namespace.isEmpty()
                && !namespace.equals(call.namespace())) {
            throw Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
    }

    private static void checkRevision(Call call, JsonObject present, JsonObject metadata) {
        var revision = Json.text(metadata, "resourceVersion");
        boolean patch = call.http().method().equals("PATCH");
        if (revision.isEmpty() || revision.equals("0")) {
            if (!patch && !call.resource().unconditional()) {
                throw Refusal.invalid(
                        call.resource().group(),
                        call.resource().plural(),
                        call.name(),
                        List.of(
                                new Cause(
                                        "FieldValueInvalid",
                                        "Invalid value: 0: must be specified for an update",
                                        "metadata.resourceVersion")));
            }
        } else if (!revision.equals(Json.text(present, "metadata", "resourceVersion"))) {
            throw Refusal.modified(call.resource(), call.name());
        }
    }

    /** The result: the candidate, with what it may not change taken from the present object. */
    static JsonObject merge(Call call, JsonObject present, JsonObject candidate) {
        JsonObject result;
        if (call.onStatus()) {
            result = present.deepCopy();
            result.remove("status");
            if (candidate.has("status")) {
                result.add("status", candidate.get("status"));
            }
            Json.at(candidate, "metadata", "managedFields")
                    .ifPresent(m -> result.getAsJsonObject("metadata").add("managedFields", m));
        } else {
            result = candidate;
            if (call.resource().status()) {
                result.remove("status");
                Json.at(present, "status").ifPresent(s -> result.add("status", s.deepCopy()));
            }
        }
        keepServerOwned(call, present, result.getAsJsonObject("metadata"));
        return result;
    }

    private static void keepServerOwned(Call call, JsonObject present, JsonObject metadata) {
        var before = present.getAsJsonObject("metadata");
        for (var name : SERVER_OWNED) {
            metadata.remove(name);
            if (before.has(name)) {
                metadata.add(name, before.get(name));
            }
        }
        metadata.add("resourceVersion", before.get("resourceVersion"));
        metadata.add("name", new JsonPrimitive(call.name()));
        if (call.resource().namespaced()) {
            metadata.addProperty("namespace", call.namespace());
        } else {
            metadata.remove("namespace");
        }
    }

    /** Raises the generation if anything but metadata and a separate status has changed. */
    static void countGeneration(Resource resource, JsonObject present, JsonObject result) {
        if (resource.generations()
                && !content(resource, present).equals(content(resource, result))) {
            var metadata = result.getAsJsonObject("metadata");
            metadata.addProperty("generation", Json.number(metadata, 0, "generation") + 1);
        }
    }

    private static JsonObject content(Resource resource, JsonObject object) {
        var content = new JsonObject();
        object.entrySet().stream()
                .filter(e -> !e.getKey().equals("metadata"))
                .filter(e -> !resource.status() || !e.getKey().equals("status"))
                .forEach(e -> content.add(e.getKey(), e.getValue()));
        return content;
    }
}
