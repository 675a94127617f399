package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.Locale;

/** Writes the schema of a built-in type as OpenAPI v3. */
final class OpenApiForm {
    static final String REFERENCE = "#/components/schemas/";

    private OpenApiForm() {}

    /** The type itself: its fields by reference. */
    static JsonObject ofType(Schema schema) {
        var form = Json.of("type", "object");
        if (!schema.required.isEmpty()) {
            form.add("required", Json.array(schema.required));
        }
        var properties = new JsonObject();
        schema.properties.forEach((name, field) -> properties.add(name, ofUse(field)));
        form.add("properties", properties);
        if (schema.atomic) {
            form.addProperty("x-kubernetes-map-type", "atomic");
        }
        return form;
    }

    private static JsonObject ofUse(Schema schema) {
        var form = new JsonObject();
        if (!schema.typeName.isEmpty()) {
            var all = new JsonArray();
            all.add(Json.of("$ref", REFERENCE + schema.typeName));
            form.add("allOf", all);
        } else {
            addType(form, schema);
        }
        schema.defaultValue().ifPresent(value -> form.add("default", value));
        addListRules(form, schema);
        return form;
    }

    private static void addType(JsonObject form, Schema schema) {
        switch (schema.type) {
            case ARRAY -> {
                form.addProperty("type", "array");
                form.add("items", ofUse(schema.items));
            }
            case OBJECT -> {
                form.addProperty("type", "object");
                schema.additional()
                        .ifPresent(value -> form.add("additionalProperties", ofUse(value)));
            }
            case ANY -> form.addProperty("type", "object");
            case INT_OR_STRING -> form.addProperty("type", "string");
            case STRING, INTEGER, NUMBER, BOOLEAN ->
                    form.addProperty("type", schema.type.name().toLowerCase(Locale.ROOT));
        }
        var format =
                switch (schema.format) {
                    case "bytes" -> "byte";
                    case "time", "microtime" -> "date-time";
                    case "intstr" -> "int-or-string";
                    case "quantity", "any" -> "";
                    default -> schema.format;
                };
        if (!format.isEmpty()) {
            form.addProperty("format", format);
        }
    }

    private static void addListRules(JsonObject form, Schema schema) {
        if (schema.listType == Schema.ListType.MAP) {
            form.addProperty("x-kubernetes-list-type", "map");
            form.add("x-kubernetes-list-map-keys", Json.array(schema.mapKeys));
        } else if (schema.listType == Schema.ListType.SET) {
            form.addProperty("x-kubernetes-list-type", "set");
        }
        if (schema.patchMerge) {
            form.addProperty("x-kubernetes-patch-strategy", "merge");
        }
        if (!schema.mergeKey.isEmpty()) {
            form.addProperty("x-kubernetes-patch-merge-key", schema.mergeKey);
        }
    }
}
