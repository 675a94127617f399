package lvms.k8s.testkit.call;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;

import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.TypeMismatch;
import lvms.k8s.testkit.kinds.EventForms;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.BuiltinTypes;
import lvms.k8s.testkit.schema.Decoder;
import lvms.k8s.testkit.schema.Defaults;
import lvms.k8s.testkit.schema.Schema;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Turns request bodies into objects of the requested resource. */
public final class Intake {
    private static final int MAX_BODY = 3 << 20;
    private static final String TOO_LARGE = "limit is " + MAX_BODY;

    /** A parsed body and the keys that occurred twice. */
    public record Body(JsonElement tree, List<String> duplicates) {}

    private Intake() {}

    /** Parses the body in the format its header names. */
    public static Body read(HttpRequest request) {
        checkSize(request);
        var type = request.header("Content-Type").orElse("application/json").split(";")[0];
        return switch (type) {
            case "application/json",
                    "application/json-patch+json",
                    "application/merge-patch+json",
                    "application/strategic-merge-patch+json" ->
                    json(text(request));
            case "application/yaml", "application/apply-patch+yaml" -> yaml(text(request));
            case "application/vnd.kubernetes.protobuf" ->
                    new Body(Protobuf.decode(request.body()), List.of());
            default -> throw unsupported(type);
        };
    }

    static Refusal unsupported(String type) {
        return new Refusal(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf: "
                        + type);
    }

    private static void checkSize(HttpRequest request) {
        if (request.body().length > MAX_BODY) {
            throw new Refusal(
                    413, "RequestEntityTooLarge", "Request entity too large: " + TOO_LARGE);
        }
    }

    private static String text(HttpRequest request) {
        return new String(request.body(), StandardCharsets.UTF_8);
    }

    private static Body json(String text) {
        try {
            var document = Json.parse(text);
            return new Body(document.root(), document.duplicates());
        } catch (JsonParseException e) {
            throw Refusal.badRequest(
                    "the object provided is unrecognized: couldn't get version/kind; json parse"
                            + " error: "
                            + e.getMessage());
        }
    }

    private static Body yaml(String text) {
        if (text.stripLeading().startsWith("{")) {
            return json(text);
        }
        try {
            return new Body(Json.of(Yaml.read(text)), List.of());
        } catch (YamlException e) {
            throw Refusal.badRequest("error decoding YAML: " + e.getMessage());
        }
    }

    /** The object in a body, which must be of this resource. */
    public static JsonObject object(Call call, Body body) {
        if (!(body.tree() instanceof JsonObject object)) {
            throw Refusal.badRequest("the body of the request is not an object");
        }
        var resource = call.resource();
        var kind = Json.text(object, "kind");
        var version = Json.text(object, "apiVersion");
        if (!call.subresource().isEmpty() && !call.onStatus()) {
            return object;
        }
        if (!kind.isEmpty() && !kind.equals(resource.kind())
                || !version.isEmpty() && !version.equals(resource.apiVersion())) {
            throw Refusal.badRequest(
                    "the API version in the data ("
                            + version
                            + "/"
                            + kind
                            + ") does not match the expected API version ("
                            + resource.apiVersion()
                            + "/"
                            + resource.kind()
                            + ")");
        }
        return object;
    }

    /**
     * The object as its type defines it, completed with defaults. Unknown and duplicate fields
     * become warnings or a refusal, as the request asks.
     *
     * @param refuse makes the refusal from the text that says what is wrong
     */
    public static JsonObject decode(
            Call call,
            JsonObject object,
            List<String> duplicates,
            Function<String, Refusal> refuse) {
        var result = decodeOnly(call, object, duplicates, refuse);
        Defaults.apply(storageSchema(call.resource()), result);
        return result;
    }

    /** An applied object as its type defines it, without defaults. */
    public static JsonObject decodeApplied(Call call, JsonObject object, List<String> duplicates) {
        return decodeOnly(call, object, duplicates, Refusal::badRequest);
    }

    private static JsonObject decodeOnly(
            Call call,
            JsonObject object,
            List<String> duplicates,
            Function<String, Refusal> refuse) {
        var resource = call.resource();
        var stored = storedForm(resource, object);
        Decoder.Decoded decoded;
        try {
            decoded =
                    resource.builtin()
                            ? Decoder.builtin(storageSchema(resource), stored)
                            : Decoder.custom(resource.schema(), stored);
        } catch (TypeMismatch e) {
            throw refuse.apply(e.getMessage());
        }
        var findings = new ArrayList<>(decoded.unknown());
        duplicates.forEach(path -> findings.add("duplicate field \"" + path + "\""));
        report(call, findings, refuse);
        var result = decoded.object();
        result.addProperty("apiVersion", storageVersion(resource));
        result.addProperty("kind", resource.kind());
        Json.child(result, "metadata");
        return result;
    }

    private static void report(Call call, List<String> findings, Function<String, Refusal> refuse) {
        switch (call.fieldValidation()) {
            case "Ignore" -> {}
            case "Warn" -> call.warnings().addAll(findings);
            case "Strict" -> refuseFindings(findings, refuse);
            default ->
                    throw Refusal.badRequest(
                            "fieldValidation: Unsupported value: \""
                                    + call.fieldValidation()
                                    + "\": supported values: \"Ignore\", \"Warn\", \"Strict\"");
        }
    }

    private static void refuseFindings(List<String> findings, Function<String, Refusal> refuse) {
        if (!findings.isEmpty()) {
            throw refuse.apply("strict decoding error: " + String.join(", ", findings));
        }
    }

    /** The refusal of a POST or PUT whose body does not decode. */
    public static Refusal undecodable(Resource resource, String why) {
        return Refusal.badRequest(
                resource.kind()
                        + " in version \""
                        + resource.version()
                        + "\" cannot be handled as a "
                        + resource.kind()
                        + ": "
                        + why);
    }

    /** Events of both groups are kept in the core form. */
    static JsonObject storedForm(Resource resource, JsonObject object) {
        return resource.storage().equals("events") && !resource.group().isEmpty()
                ? EventForms.convert(object, "")
                : object;
    }

    public static Schema storageSchema(Resource resource) {
        return resource.storage().equals("events")
                ? BuiltinTypes.instance().type("core.v1.Event")
                : resource.schema();
    }

    private static String storageVersion(Resource resource) {
        return resource.storage().equals("events") ? "v1" : resource.apiVersion();
    }

    /** An object as the resource shows it. */
    public static JsonObject shown(Resource resource, JsonObject stored) {
        if (resource.storage().equals("events") && !resource.group().isEmpty()) {
            return EventForms.convert(stored, resource.group());
        }
        if (resource.builtin() || resource.apiVersion().equals(Json.text(stored, "apiVersion"))) {
            return stored;
        }
        var object = stored.deepCopy();
        object.addProperty("apiVersion", resource.apiVersion());
        return object;
    }
}
