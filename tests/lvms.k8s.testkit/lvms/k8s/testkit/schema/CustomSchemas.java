package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.cel.CelException;
import lvms.k8s.testkit.cel.Program;
import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the structural schema of a CustomResourceDefinition that has passed its checks. */
public final class CustomSchemas {
    private CustomSchemas() {}

    /** The schema of a whole custom resource. */
    public static Schema of(JsonObject json) {
        var schema = read(json);
        var meta = BuiltinTypes.instance().type("meta.v1.ObjectMeta");
        schema.properties.put("apiVersion", new Schema(Schema.Type.STRING));
        schema.properties.put("kind", new Schema(Schema.Type.STRING));
        schema.properties.put("metadata", meta);
        return schema;
    }

    static Schema read(JsonObject json) {
        var schema = new Schema(type(json));
        schema.format = Json.text(json, "format");
        schema.checks = json;
        schema.nullable = Json.flag(json, "nullable");
        schema.preserveUnknown = Json.flag(json, "x-kubernetes-preserve-unknown-fields");
        schema.embedded = Json.flag(json, "x-kubernetes-embedded-resource");
        schema.atomic = Json.text(json, "x-kubernetes-map-type").equals("atomic");
        schema.defaultValue = json.get("default");
        schema.required.addAll(Json.texts(json, "required"));
        Json.object(json, "properties")
                .ifPresent(
                        properties ->
                                properties
                                        .entrySet()
                                        .forEach(e -> schema.properties.put(e.getKey(), child(e))));
        Json.object(json, "items").ifPresent(items -> schema.items = read(items));
        readAdditional(schema, json.get("additionalProperties"));
        readListType(schema, json);
        schema.rules = rules(json);
        return schema;
    }

    private static Schema child(Map.Entry<String, JsonElement> entry) {
        return read(entry.getValue().getAsJsonObject());
    }

    private static Schema.Type type(JsonObject json) {
        if (Json.flag(json, "x-kubernetes-int-or-string")) {
            return Schema.Type.INT_OR_STRING;
        }
        return switch (Json.text(json, "type")) {
            case "object" -> Schema.Type.OBJECT;
            case "array" -> Schema.Type.ARRAY;
            case "string" -> Schema.Type.STRING;
            case "integer" -> Schema.Type.INTEGER;
            case "number" -> Schema.Type.NUMBER;
            case "boolean" -> Schema.Type.BOOLEAN;
            default -> Schema.Type.ANY;
        };
    }

    private static void readAdditional(Schema schema, JsonElement additional) {
        if (additional instanceof JsonObject values) {
            schema.additional = read(values);
        } else if (additional != null && additional.getAsBoolean()) {
            schema.preserveUnknown = true;
        }
    }

    private static void readListType(Schema schema, JsonObject json) {
        switch (Json.text(json, "x-kubernetes-list-type")) {
            case "map" -> {
                schema.listType = Schema.ListType.MAP;
                schema.mapKeys = Json.texts(json, "x-kubernetes-list-map-keys");
            }
            case "set" -> schema.listType = Schema.ListType.SET;
            default -> schema.listType = Schema.ListType.ATOMIC;
        }
    }

    private static List<Rule> rules(JsonObject json) {
        var rules = new ArrayList<Rule>();
        for (var rule : Json.objects(json, "x-kubernetes-validations")) {
            rules.add(rule(rule));
        }
        return rules;
    }

    private static Rule rule(JsonObject rule) {
        try {
            var message = Json.text(rule, "messageExpression");
            var reason = Json.text(rule, "reason");
            return new Rule(
                    Program.compile(Json.text(rule, "rule")),
                    Json.text(rule, "message"),
                    message.isEmpty() ? null : Program.compile(message),
                    reason.isEmpty() ? "FieldValueInvalid" : reason,
                    Json.text(rule, "fieldPath"),
                    Json.flag(rule, "optionalOldSelf"));
        } catch (CelException e) {
            throw new IllegalStateException("a rule that its definition's checks let pass", e);
        }
    }
}
