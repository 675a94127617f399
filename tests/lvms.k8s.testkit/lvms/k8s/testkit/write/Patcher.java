package lvms.k8s.testkit.write;

import static java.lang.System.Logger.Level.DEBUG;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.fields.Ownership;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.patch.JsonPatch;
import lvms.k8s.testkit.patch.MergePatch;
import lvms.k8s.testkit.patch.PatchFailure;
import lvms.k8s.testkit.patch.StrategicPatch;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.schema.Defaults;

import java.util.List;

/** The four kinds of PATCH. */
public final class Patcher {
    private static final System.Logger LOG = System.getLogger(Patcher.class.getName());
    private static final String JSON = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final int MAX_MANAGER = 128;

    private final Cluster cluster;
    private final Writer writer;

    public Patcher(Cluster cluster, Writer writer) {
        this.cluster = cluster;
        this.writer = writer;
    }

    /** Applies the patch in the request's body. */
    public Writer.Written patch(Call call) {
        var type = call.http().header("Content-Type").orElse("").split(";")[0].strip();
        checkType(call.resource(), type);
        checkParameters(call, type);
        var body = Intake.read(call.http());
        if (type.equals(APPLY)) {
            return apply(call, body);
        }
        var changed = writer.update(call, present -> patched(call, type, present, body), true);
        return new Writer.Written(changed, false);
    }

    private static void checkType(Resource resource, String type) {
        var known =
                resource.builtin()
                        ? List.of(JSON, MERGE, STRATEGIC, APPLY)
                        : List.of(JSON, MERGE, APPLY);
        if (!known.contains(type)) {
            throw new Refusal(
                    415,
                    "UnsupportedMediaType",
                    "the body of the request was in an unknown format - accepted media types"
                            + " include: "
                            + String.join(", ", known));
        }
    }

    private static void checkParameters(Call call, String type) {
        boolean apply = type.equals(APPLY);
        var manager = call.http().parameter("fieldManager");
        if (apply && manager.isEmpty()) {
            throw badOptions(Cause.required("fieldManager", "is required for apply patch"));
        }
        if (manager.length() > MAX_MANAGER) {
            throw badOptions(Cause.tooLong("fieldManager", MAX_MANAGER));
        }
        if (!apply && !call.http().parameter("force").isEmpty()) {
            throw badOptions(Cause.forbidden("force", "may not be specified for non-apply patch"));
        }
    }

    private static Refusal badOptions(Cause cause) {
        return Refusal.invalid("meta.k8s.io", "PatchOptions", "", List.of(cause));
    }

    private static JsonObject patched(
            Call call, String type, JsonObject present, Intake.Body body) {
        var shown = Intake.shown(call.resource(), present);
        var result = raw(call, type, shown, body);
        if (!(result instanceof JsonObject object)) {
            throw undecodable(result, "the result is not an object");
        }
        var given = Json.text(object, "kind");
        if (!given.equals(call.resource().kind())) {
            throw Refusal.badRequest("kind may not be changed by a patch");
        }
        return Intake.decode(call, object, body.duplicates(), why -> undecodable(result, why));
    }

    private static Refusal undecodable(JsonElement patched, String why) {
        return Refusal.invalid(
                "",
                "",
                "",
                List.of(
                        new Cause(
                                "FieldValueInvalid",
                                "Invalid value: "
                                        + new JsonPrimitive(patched.toString())
                                        + ": "
                                        + why,
                                "patch")));
    }

    private static JsonElement raw(Call call, String type, JsonObject present, Intake.Body body) {
        try {
            return switch (type) {
                case JSON -> jsonPatch(present, body.tree());
                case MERGE -> MergePatch.apply(present, object(body));
                default -> StrategicPatch.apply(call.resource().schema(), present, object(body));
            };
        } catch (PatchFailure e) {
            LOG.log(DEBUG, () -> "patch failed: " + e.getMessage());
            throw new Refusal(
                    422,
                    "Invalid",
                    "the server rejected our request due to an error in our request");
        }
    }

    private static JsonElement jsonPatch(JsonObject present, JsonElement patch)
            throws PatchFailure {
        if (!(patch instanceof JsonArray operations)) {
            throw Refusal.badRequest(
                    "error decoding patch: json: cannot unmarshal object into Go value of type"
                            + " []handlers.jsonPatchOp");
        }
        if (operations.size() > JsonPatch.MAX_OPERATIONS) {
            throw new Refusal(
                    413,
                    "RequestEntityTooLarge",
                    "Request entity too large: The allowed maximum operations in a JSON patch is "
                            + JsonPatch.MAX_OPERATIONS
                            + ", got "
                            + operations.size());
        }
        return JsonPatch.apply(present, operations);
    }

    private static JsonObject object(Intake.Body body) {
        if (body.tree() instanceof JsonObject object) {
            return object;
        }
        throw Refusal.badRequest(
                "error decoding patch: json: cannot unmarshal array into Go value"
                        + " of type map[string]interface {}");
    }

    private Writer.Written apply(Call call, Intake.Body body) {
        var applied = appliedObject(call, body);
        if (cluster.get(call.resource(), call.key()).isEmpty()) {
            return applyNew(call, applied, body);
        }
        var object = writer.update(call, present -> applyTo(call, present, applied, body), false);
        return new Writer.Written(object, false);
    }

    private Writer.Written applyNew(Call call, JsonObject applied, Intake.Body body) {
        var uid = Json.text(applied, "metadata", "uid");
        if (!uid.isEmpty()) {
            throw Refusal.conflict(
                    call.resource(),
                    call.name(),
                    "uid mismatch: the provided object specified uid "
                            + uid
                            + ", and no existing object was found");
        }
        if (!call.subresource().isEmpty()) {
            throw Refusal.notFound(call.resource(), call.name());
        }
        var object = applyTo(call, new JsonObject(), applied, body);
        object.getAsJsonObject("metadata").remove("resourceVersion");
        try {
            return new Writer.Written(writer.create(call, object, false), true);
        } catch (Refusal e) {
            if (e.reason().equals("AlreadyExists")
                    && cluster.get(call.resource(), call.key()).isPresent()) {
                return apply(call, body); // Someone else was faster, so it is an update.
            }
            throw e;
        }
    }

    private static JsonObject appliedObject(Call call, Intake.Body body) {
        if (!(body.tree() instanceof JsonObject object)) {
            throw Refusal.badRequest("error decoding YAML: not an object");
        }
        var version = Json.text(object, "apiVersion");
        if (version.isEmpty() || Json.text(object, "kind").isEmpty()) {
            throw Refusal.badRequest("invalid object type: apiVersion and kind must be set");
        }
        if (!version.equals(call.resource().apiVersion())) {
            throw Refusal.badRequest(
                    "Incorrect version specified in apply patch. Specified patch version: "
                            + version
                            + ", expected: "
                            + call.resource().apiVersion());
        }
        if (!Json.text(object, "kind").equals(call.resource().kind())) {
            throw Refusal.badRequest("invalid object type: " + Json.text(object, "kind"));
        }
        if (Json.at(object, "metadata", "managedFields").isPresent()) {
            throw Refusal.badRequest("metadata.managedFields must be nil");
        }
        var name = Json.text(object, "metadata", "name");
        if (!name.isEmpty() && !name.equals(call.name())) {
            throw Refusal.badRequest(
                    "the name of the object ("
                            + name
                            + ") does not match the name on the URL ("
                            + call.name()
                            + ")");
        }
        return object;
    }

    private static JsonObject applyTo(
            Call call, JsonObject present, JsonObject applied, Intake.Body body) {
        var clean = cleaned(call, applied, body);
        try {
            var merged =
                    Writer.ownership(call.resource())
                            .apply(
                                    present,
                                    clean,
                                    call.manager(),
                                    call.subresource(),
                                    call.http().flag("force"));
            Defaults.apply(Intake.storageSchema(call.resource()), merged);
            return merged;
        } catch (Ownership.ApplyFailure e) {
            throw refusal(call, e);
        }
    }

    /** The applied object without unknown fields and without defaults. */
    private static JsonObject cleaned(Call call, JsonObject applied, Intake.Body body) {
        var object = applied.deepCopy();
        var metadata = Json.child(object, "metadata");
        metadata.addProperty("name", call.name());
        if (call.resource().namespaced()) {
            NewMetadata.placeIn(call, metadata);
        }
        return Intake.decodeApplied(call, object, body.duplicates());
    }

    private static Refusal refusal(Call call, Ownership.ApplyFailure failure) {
        if (failure.conflicts().isEmpty()) {
            return new Refusal(500, "InternalError", failure.getMessage());
        }
        var details = Refusal.details(call.resource(), "");
        details.remove("kind");
        details.remove("group");
        var causes = Json.arrayOf();
        failure.conflicts()
                .forEach(
                        c ->
                                causes.add(
                                        Json.of(
                                                "reason",
                                                "FieldManagerConflict",
                                                "message",
                                                c.message(),
                                                "field",
                                                c.field())));
        details.add("causes", causes);
        return new Refusal(409, "Conflict", failure.getMessage(), details);
    }
}
