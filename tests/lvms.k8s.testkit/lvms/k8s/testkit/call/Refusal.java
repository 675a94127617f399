package lvms.k8s.testkit.call;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;

import java.util.List;

/**
 * A request that is answered with a failure Status. It is unchecked: it ends the handling of a
 * request from any depth, and only the edge catches it.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient JsonObject status;

    public Refusal(int code, String reason, String message) {
        this(code, reason, message, new JsonObject());
    }

    public Refusal(int code, String reason, String message, JsonObject details) {
        super(message);
        status =
                Json.of(
                        "kind",
                        "Status",
                        "apiVersion",
                        "v1",
                        "metadata",
                        new JsonObject(),
                        "status",
                        "Failure",
                        "message",
                        message,
                        "reason",
                        reason);
        if (!details.isEmpty()) {
            status.add("details", details);
        }
        status.addProperty("code", code);
    }

    /** The HTTP status. */
    public int code() {
        return status.get("code").getAsInt();
    }

    /** The machine-readable reason. */
    public String reason() {
        return status.get("reason").getAsString();
    }

    /** The body of the answer. */
    public JsonObject status() {
        return status;
    }

    /** 404 for an object. */
    public static Refusal notFound(Resource resource, String name) {
        return about(resource, name, 404, "NotFound", quoted(resource, name) + " not found");
    }

    /** 404 for a path that nothing serves. */
    public static Refusal noSuchResource() {
        var refusal =
                new Refusal(404, "NotFound", "the server could not find the requested resource");
        refusal.status.add("details", new JsonObject());
        return refusal;
    }

    /** Whether nothing serves the path. */
    public boolean ofPath() {
        return code() == 404 && status.getAsJsonObject("details").isEmpty();
    }

    /** 409 for a create. */
    public static Refusal alreadyExists(Resource resource, String name, String suffix) {
        return about(
                resource,
                name,
                409,
                "AlreadyExists",
                quoted(resource, name) + " already exists" + suffix);
    }

    /** 409 for a stale or impossible write. */
    public static Refusal conflict(Resource resource, String name, String why) {
        return about(
                resource,
                name,
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + quoted(resource, name) + ": " + why);
    }

    /** 409 because the object changed since it was read. */
    public static Refusal modified(Resource resource, String name) {
        return conflict(
                resource,
                name,
                "the object has been modified; please apply your changes to the latest version"
                        + " and try again");
    }

    /** 403. */
    public static Refusal forbidden(Resource resource, String name, String why) {
        return about(
                resource, name, 403, "Forbidden", quoted(resource, name) + " is forbidden: " + why);
    }

    /** 400. */
    public static Refusal badRequest(String message) {
        return new Refusal(400, "BadRequest", message);
    }

    /** 405. */
    public static Refusal methodNotAllowed() {
        return methodNotAllowed("the server does not allow this method on the requested resource");
    }

    /** 405 for a method that the resource does not have now. */
    public static Refusal methodNotAllowed(String why) {
        return new Refusal(405, "MethodNotAllowed", why);
    }

    /** 422 for failed validation. */
    public static Refusal invalid(Resource resource, String name, List<Cause> causes) {
        return invalid(resource.group(), resource.kind(), name, causes);
    }

    /** 422 for failed validation of a kind. */
    public static Refusal invalid(String group, String kind, String name, List<Cause> causes) {
        var details = new JsonObject();
        if (!name.isEmpty()) {
            details.addProperty("name", name);
        }
        addText(details, "group", group);
        addText(details, "kind", kind);
        var list = Json.arrayOf();
        causes.forEach(cause -> list.add(cause.json()));
        details.add("causes", list);
        var texts = causes.stream().map(Cause::text).distinct().toList();
        var joined = texts.size() == 1 ? texts.getFirst() : texts.toString();
        var qualified = group.isEmpty() ? kind : kind + "." + group;
        return new Refusal(
                422, "Invalid", qualified + " \"" + name + "\" is invalid: " + joined, details);
    }

    /** 410: the revision is too old. */
    public static Refusal expired(String message) {
        return new Refusal(410, "Expired", message);
    }

    /** 422 for a streaming list on a server without them. */
    public static Refusal noStreamingLists() {
        var cause =
                Cause.forbidden(
                        "sendInitialEvents",
                        "sendInitialEvents is forbidden for watch unless the WatchList feature"
                                + " gate is enabled");
        return invalid("meta.k8s.io", "ListOptions", "", List.of(cause));
    }

    /** 504 for a revision in the future. */
    public static Refusal revisionAhead(long asked, long current) {
        var cause =
                Json.of(
                        "reason",
                        "ResourceVersionTooLarge",
                        "message",
                        "Too large resource version");
        return new Refusal(
                504,
                "Timeout",
                "Timeout: Too large resource version: " + asked + ", current: " + current,
                Json.of("causes", Json.arrayOf(cause), "retryAfterSeconds", 1));
    }

    /** 406. */
    public static Refusal notAcceptable(String mediaType) {
        return new Refusal(
                406, "NotAcceptable", "only the following media types are accepted: " + mediaType);
    }

    /** 500. */
    public static Refusal internal(String message) {
        var cause = Json.of("message", message);
        return new Refusal(
                500,
                "InternalError",
                "Internal error occurred: " + message,
                Json.of("causes", Json.arrayOf(cause)));
    }

    /** A refusal whose details name an object. */
    public static Refusal about(
            Resource resource, String name, int code, String reason, String message) {
        return new Refusal(code, reason, message, details(resource, name));
    }

    public static JsonObject details(Resource resource, String name) {
        var details = new JsonObject();
        addText(details, "name", name);
        addText(details, "group", resource.group());
        addText(details, "kind", resource.plural());
        return details;
    }

    private static String quoted(Resource resource, String name) {
        return resource.qualifiedPlural() + " \"" + name + "\"";
    }

    private static void addText(JsonObject object, String name, String value) {
        if (!value.isEmpty()) {
            object.addProperty(name, value);
        }
    }
}
