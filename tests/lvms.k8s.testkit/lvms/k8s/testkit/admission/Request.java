package lvms.k8s.testkit.admission;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * One write that others may judge.
 *
 * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
 * @param object the new state, empty for a deletion
 * @param old the state before, empty for a creation
 */
public record Request(
        String operation,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        JsonObject user,
        Optional<JsonObject> object,
        Optional<JsonObject> old,
        boolean dryRun) {

    /** The same request with another new state. */
    Request with(JsonObject other) {
        return new Request(
                operation,
                resource,
                namespace,
                name,
                subresource,
                user,
                Optional.of(other),
                old,
                dryRun);
    }

    /** The {@code request} of an AdmissionReview. */
    JsonObject review() {
        var kind =
                Json.of(
                        "group", resource.group(),
                        "version", resource.version(),
                        "kind", resource.kind());
        var plural =
                Json.of(
                        "group", resource.group(),
                        "version", resource.version(),
                        "resource", resource.plural());
        var options =
                operation.charAt(0) + operation.substring(1).toLowerCase(Locale.ROOT) + "Options";
        var review =
                Json.of(
                        "uid", UUID.randomUUID().toString(),
                        "kind", kind,
                        "resource", plural,
                        "requestKind", kind,
                        "requestResource", plural,
                        "name", name,
                        "operation", operation,
                        "userInfo", user,
                        "object", orNull(object),
                        "oldObject", orNull(old),
                        "dryRun", dryRun,
                        "options", Json.of("kind", options, "apiVersion", "meta.k8s.io/v1"));
        if (!namespace.isEmpty()) {
            review.addProperty("namespace", namespace);
        }
        if (!subresource.isEmpty()) {
            review.addProperty("subResource", subresource);
            review.addProperty("requestSubResource", subresource);
        }
        return review;
    }

    static JsonElement orNull(Optional<JsonObject> object) {
        return object.isPresent() ? object.get() : JsonNull.INSTANCE;
    }
}
