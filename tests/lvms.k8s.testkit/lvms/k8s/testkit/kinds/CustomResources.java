package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource.Column;
import lvms.k8s.testkit.schema.CustomSchemas;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns a CustomResourceDefinition into the resources it defines. */
public final class CustomResources {
    private CustomResources() {}

    /** One resource for each served version. */
    public static List<Resource> of(JsonObject definition) {
        var result = new ArrayList<Resource>();
        for (var version : Json.objects(definition, "spec", "versions")) {
            if (Json.flag(version, "served")) {
                result.add(resource(definition, version));
            }
        }
        return result;
    }

    private static Resource resource(JsonObject definition, JsonObject version) {
        var names = Json.object(definition, "spec", "names").orElseThrow();
        var group = Json.text(definition, "spec", "group");
        var plural = Json.text(names, "plural");
        var subresources = Json.object(version, "subresources").orElseGet(JsonObject::new);
        return new Resource(
                group,
                Json.text(version, "name"),
                Json.text(names, "kind"),
                Json.text(names, "listKind"),
                plural,
                Json.text(names, "singular"),
                Json.text(definition, "spec", "scope").equals("Namespaced"),
                Json.texts(names, "shortNames"),
                Json.texts(names, "categories"),
                Resource.ALL_VERBS,
                Builtins.storage(group, plural),
                CustomSchemas.of(
                        Json.object(version, "schema", "openAPIV3Schema")
                                .orElseGet(JsonObject::new)),
                false,
                subresources.has("status"),
                true,
                false,
                Json.object(subresources, "scale").map(CustomResources::scale),
                columns(version),
                selectable(version),
                Rules.NONE);
    }

    private static Resource.Scale scale(JsonObject scale) {
        return new Resource.Scale(
                path(Json.text(scale, "specReplicasPath")),
                path(Json.text(scale, "statusReplicasPath")),
                path(Json.text(scale, "labelSelectorPath")));
    }

    private static List<Column> columns(JsonObject version) {
        var columns =
                Json.objects(version, "additionalPrinterColumns").stream()
                        .map(CustomResources::column)
                        .toList();
        return columns.isEmpty() ? BuiltinColumns.AGE_ONLY : columns;
    }

    private static Column column(JsonObject column) {
        return new Column(
                Json.text(column, "name"),
                Json.text(column, "type"),
                Json.text(column, "format"),
                Json.text(column, "jsonPath"),
                (int) Json.number(column, 0, "priority"),
                Json.text(column, "description"));
    }

    private static Map<String, String> selectable(JsonObject version) {
        var result = new TreeMap<String, String>();
        for (var field : Json.objects(version, "selectableFields")) {
            var path = path(Json.text(field, "jsonPath"));
            result.put(path, path);
        }
        return result;
    }

    private static String path(String jsonPath) {
        return jsonPath.startsWith(".") ? jsonPath.substring(1) : jsonPath;
    }

    public static Optional<JsonObject> condition(JsonObject object, String type) {
        return Json.objects(object, "status", "conditions").stream()
                .filter(c -> Json.text(c, "type").equals(type))
                .findFirst();
    }
}
