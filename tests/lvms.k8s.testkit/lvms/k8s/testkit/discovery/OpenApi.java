package lvms.k8s.testkit.discovery;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Registry;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.BuiltinTypes;
import lvms.k8s.testkit.schema.Schema;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The part of OpenAPI v3 that kubectl reads: one document for each group and version. */
public record OpenApi(Registry registry) {
    private static final String REFERENCE = "#/components/schemas/";
    private static final String META = "meta.v1.ObjectMeta";

    /** {@code /openapi/v3}. */
    public JsonObject index() {
        var paths = new JsonObject();
        var versions = new LinkedHashSet<String>();
        registry.all().forEach(resource -> versions.add(path(resource)));
        for (var version : versions) {
            var url = "/openapi/v3/" + version + "?hash=" + hash(version);
            paths.add(version, Json.of("serverRelativeURL", url));
        }
        return Json.of("paths", paths);
    }

    /** A hash that changes when the document does. */
    private String hash(String version) {
        return Integer.toHexString(document(version).toString().hashCode());
    }

    private static String path(Resource resource) {
        return (resource.group().isEmpty() ? "api/" : "apis/") + resource.apiVersion();
    }

    /** The document of {@code api/v1} or {@code apis/GROUP/VERSION}. */
    public JsonObject document(String version) {
        var paths = new JsonObject();
        var schemas = new JsonObject();
        for (var resource : registry.all()) {
            if (path(resource).equals(version)) {
                addPaths(paths, resource);
                addSchemas(schemas, resource);
            }
        }
        if (schemas.isEmpty()) {
            throw Refusal.noSuchResource();
        }
        return Json.of(
                "openapi",
                "3.0.0",
                "info",
                Json.of("title", "Kubernetes", "version", Versions.GIT),
                "paths",
                paths,
                "components",
                Json.of("schemas", schemas));
    }

    private static void addPaths(JsonObject paths, Resource resource) {
        var collection =
                "/"
                        + path(resource)
                        + (resource.namespaced() ? "/namespaces/{namespace}/" : "/")
                        + resource.plural();
        var kind =
                Json.of(
                        "group", resource.group(),
                        "version", resource.version(),
                        "kind", resource.kind());
        if (!resource.verbs().contains("list")) {
            paths.add(collection, Json.of("post", operation("post", kind, resource)));
            return;
        }
        paths.add(
                collection,
                Json.of(
                        "get", operation("list", kind, resource),
                        "post", operation("post", kind, resource),
                        "delete", operation("deletecollection", kind, resource)));
        paths.add(
                collection + "/{name}",
                Json.of(
                        "get", operation("get", kind, resource),
                        "put", operation("put", kind, resource),
                        "patch", operation("patch", kind, resource),
                        "delete", operation("delete", kind, resource)));
    }

    private static JsonObject operation(String action, JsonObject kind, Resource resource) {
        var operation =
                Json.of("x-kubernetes-action", action, "x-kubernetes-group-version-kind", kind);
        var parameters = new JsonArray();
        if (List.of("post", "put", "patch", "delete").contains(action)) {
            parameters.add(parameter("dryRun", "string"));
        }
        if (List.of("post", "put", "patch").contains(action)) {
            parameters.add(parameter("fieldManager", "string"));
            parameters.add(parameter("fieldValidation", "string"));
        }
        if (action.equals("patch")) {
            parameters.add(parameter("force", "boolean"));
        }
        operation.add("parameters", parameters);
        var schema = Json.of("$ref", REFERENCE + schemaName(resource));
        var content = Json.of("application/json", Json.of("schema", schema));
        operation.add(
                "responses", Json.of("200", Json.of("description", "OK", "content", content)));
        return operation;
    }

    private static JsonObject parameter(String name, String type) {
        return Json.of(
                "name", name, "in", "query", "schema", Json.of("type", type, "uniqueItems", true));
    }

    private static String schemaName(Resource resource) {
        if (resource.builtin()) {
            return resource.schema().typeName();
        }
        return resource.group() + "." + resource.version() + "." + resource.kind();
    }

    private static void addSchemas(JsonObject schemas, Resource resource) {
        var kinds =
                Json.arrayOf(
                        Json.of(
                                "group", resource.group(),
                                "version", resource.version(),
                                "kind", resource.kind()));
        JsonObject form;
        if (resource.builtin()) {
            addType(schemas, resource.schema().typeName());
            form = schemas.getAsJsonObject(schemaName(resource));
        } else {
            addType(schemas, META);
            form = resource.schema().checks().deepCopy();
            var properties = Json.child(form, "properties");
            properties.add("apiVersion", Json.of("type", "string"));
            properties.add("kind", Json.of("type", "string"));
            properties.add(
                    "metadata", Json.of("allOf", Json.arrayOf(Json.of("$ref", REFERENCE + META))));
            schemas.add(schemaName(resource), form);
        }
        form.add("x-kubernetes-group-version-kind", kinds);
    }

    private static void addType(JsonObject schemas, String name) {
        if (schemas.has(name)) {
            return;
        }
        var types = BuiltinTypes.instance();
        schemas.add(name, types.openApi(name));
        names(types.type(name)).forEach(other -> addType(schemas, other));
    }

    private static Set<String> names(Schema schema) {
        var result = new LinkedHashSet<String>();
        schema.properties().values().forEach(field -> collect(field, result));
        return result;
    }

    private static void collect(Schema schema, Set<String> names) {
        if (!schema.typeName().isEmpty()) {
            names.add(schema.typeName());
        }
        schema.items().ifPresent(items -> collect(items, names));
        schema.additional().ifPresent(values -> collect(values, names));
    }
}
