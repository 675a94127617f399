package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.PercentEncoding;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.List;
import java.util.Optional;

/**
 * What has a URL and is read and written there by one request each: an object, or a subresource of
 * it. Which writes are sent again after a lost answer is decided here.
 *
 * @param subresource such as {@code status}, empty for the object itself
 */
record Resource(Caller caller, ResourceType type, ObjectKey key, String subresource) {
    private static final String APPLY = "application/apply-patch+yaml"; // JSON is YAML
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";

    Resource(Caller caller, ResourceType type, ObjectKey key) {
        this(caller, type, key, "");
    }

    /** Returns the same of another object. */
    Resource at(ObjectKey other) {
        return new Resource(caller, type, other, subresource);
    }

    KubeObject get() throws ApiException, InterruptedException {
        return answer(Call.read("get", path(), subject()));
    }

    KubeObject getAtLeast(String resourceVersion) throws ApiException, InterruptedException {
        var query = new Urls.Query().with("resourceVersion", resourceVersion);
        return answer(Call.read("get", path() + query, subject()));
    }

    /** Reads it; empty if the API server says that the object does not exist. */
    Optional<KubeObject> find() throws ApiException, InterruptedException {
        try {
            return Optional.of(get());
        } catch (ApiException.NotFound _) {
            return Optional.empty();
        }
    }

    /** The same without anything but its metadata. */
    Optional<KubeObject> findMetadata() throws ApiException, InterruptedException {
        var call = Call.read("get", path(), subject()).onlyMetadata("PartialObjectMetadata");
        try {
            var found = caller.object(call.of(type, key), Expected.metadata(type, key.name()));
            return Optional.of(found.metadataOf(type));
        } catch (ApiException.NotFound _) {
            return Optional.empty();
        }
    }

    KubeObject post(KubeObject body) throws ApiException, InterruptedException {
        return write("create", "POST", body);
    }

    /** Replaces it; a resource version in the body is the precondition. */
    KubeObject replace(KubeObject body) throws ApiException, InterruptedException {
        return write("update", "PUT", body);
    }

    private KubeObject write(String verb, String method, KubeObject body)
            throws ApiException, InterruptedException {
        var json = body.toJson();
        return answer(Call.write(verb, method, written(), json, Call.Repeat.NEVER, subject()));
    }

    KubeObject apply(KubeObject object, boolean force) throws ApiException, InterruptedException {
        if (caller.fieldManager().isEmpty()) {
            throw new IllegalStateException("apply needs a field manager");
        }
        var path = path() + caller.written().with("force", force ? "true" : "");
        var json = object.without("metadata", "managedFields").toJsonWithoutNulls();
        return answer(Call.patch("apply", path, json, APPLY, Call.Repeat.IDEMPOTENT, subject()));
    }

    KubeObject mergePatch(ObjectTree patch) throws ApiException, InterruptedException {
        return patch(patch, MERGE, Call.Repeat.IDEMPOTENT);
    }

    KubeObject strategicMergePatch(ObjectTree patch) throws ApiException, InterruptedException {
        return patch(patch, STRATEGIC, Call.Repeat.IDEMPOTENT);
    }

    KubeObject jsonPatch(JsonPatch patch) throws ApiException, InterruptedException {
        return patch(patch.json(), JSON_PATCH, Call.Repeat.NEVER);
    }

    private KubeObject patch(Tree patch, String contentType, Call.Repeat repeat)
            throws ApiException, InterruptedException {
        var json = Json.write(patch);
        return answer(Call.patch("patch", written(), json, contentType, repeat, subject()));
    }

    private KubeObject answer(Call call) throws ApiException, InterruptedException {
        return caller.object(call.of(type, key), expected());
    }

    /** A status is shown in its object, any other subresource in a form of its own. */
    private Expected expected() {
        return List.of("", "status").contains(subresource)
                ? Expected.object(type, key.name())
                : Expected.someObject();
    }

    private String path() {
        return Urls.object(type, key)
                + (subresource.isEmpty() ? "" : "/" + PercentEncoding.of(subresource));
    }

    private String written() {
        return path() + caller.written();
    }

    private String subject() {
        return type + " " + key + (subresource.isEmpty() ? "" : "/" + subresource);
    }
}
