package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.cel.CelException;
import lvms.k8s.testkit.cel.Program;
import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Checks that the schema of a definition is structural, and that its rules can be evaluated. */
public final class StructuralChecks {
    private static final Set<String> NOT_IN_BRANCHES =
            Set.of("type", "default", "nullable", "additionalProperties", "title", "description");
    private static final Set<String> ROOTS = Set.of("self", "oldSelf");
    private static final String NOT_STRUCTURAL = "must be empty to be structural";

    private final List<Cause> causes;

    private StructuralChecks(List<Cause> causes) {
        this.causes = causes;
    }

    /** Adds one cause for each violation. */
    public static void check(JsonObject schema, String field, List<Cause> causes) {
        var checks = new StructuralChecks(causes);
        if (!Json.text(schema, "type").equals("object")) {
            causes.add(
                    Json.text(schema, "type").isEmpty()
                            ? Cause.required(field + ".type", "must not be empty at the root")
                            : Cause.invalid(
                                    field + ".type",
                                    schema.get("type"),
                                    "must be object at the root"));
        }
        checks.node(schema, field);
        checks.rules(schema, field);
    }

    private void node(JsonObject schema, String field) {
        boolean typed =
                schema.has("type")
                        || Json.flag(schema, "x-kubernetes-int-or-string")
                        || Json.flag(schema, "x-kubernetes-preserve-unknown-fields");
        if (!typed) {
            causes.add(
                    Cause.required(
                            field + ".type", "must not be empty for specified object fields"));
        }
        for (var name : List.of("$ref", "uniqueItems")) {
            if (schema.has(name) && !schema.get(name).equals(new JsonPrimitive(false))) {
                causes.add(Cause.forbidden(field + "." + name, name + " is not supported"));
            }
        }
        if (schema.has("properties") && schema.get("additionalProperties") instanceof JsonObject) {
            causes.add(
                    Cause.forbidden(
                            field + ".additionalProperties",
                            "additionalProperties and properties are mutual exclusive"));
        }
        if (Json.text(schema, "type").equals("array") && !schema.has("items")) {
            causes.add(Cause.required(field + ".items", "must be specified"));
        }
        pattern(schema, field);
        listType(schema, field);
        defaultValue(schema, field);
        branches(schema, field);
        Json.object(schema, "properties")
                .ifPresent(
                        properties ->
                                properties
                                        .entrySet()
                                        .forEach(e -> child(e.getValue(), e.getKey(), field)));
        Json.object(schema, "items").ifPresent(items -> node(items, field + ".items"));
        Json.object(schema, "additionalProperties")
                .ifPresent(values -> node(values, field + ".additionalProperties"));
    }

    private void child(JsonElement schema, String name, String field) {
        node(schema.getAsJsonObject(), field + ".properties[" + name + "]");
    }

    private void pattern(JsonObject schema, String field) {
        var pattern = Json.text(schema, "pattern");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            causes.add(
                    Cause.invalid(
                            field + ".pattern",
                            schema.get("pattern"),
                            "must be a valid regular expression, but isn't: " + e.getMessage()));
        }
    }

    private void listType(JsonObject schema, String field) {
        boolean map = Json.text(schema, "x-kubernetes-list-type").equals("map");
        var keys = Json.texts(schema, "x-kubernetes-list-map-keys");
        if (map && keys.isEmpty()) {
            causes.add(
                    Cause.required(
                            field + ".x-kubernetes-list-map-keys",
                            "must not be empty if x-kubernetes-list-type is map"));
        }
        for (var key : keys) {
            boolean required =
                    Json.texts(schema, "items", "required").contains(key)
                            || Json.at(schema, "items", "properties", key, "default").isPresent();
            if (!required) {
                causes.add(
                        Cause.required(
                                field + ".items.properties[" + key + "].default",
                                "this property is in x-kubernetes-list-map-keys, so it must have a"
                                        + " default or be a required property"));
            }
        }
    }

    private void defaultValue(JsonObject schema, String field) {
        if (!schema.has("default") || schema.get("default").isJsonNull()) {
            return;
        }
        var found = new ArrayList<Cause>();
        var parsed = CustomSchemas.read(withoutRules(schema));
        ValueChecks.check(parsed, schema.get("default"), Optional.empty(), found);
        for (var cause : found) {
            var place = cause.field().isEmpty() ? "" : "." + cause.field();
            causes.add(new Cause(cause.reason(), cause.message(), field + ".default" + place));
        }
    }

    private static JsonObject withoutRules(JsonObject schema) {
        var copy = schema.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonObject node) {
        node.remove("x-kubernetes-validations");
        node.entrySet()
                .forEach(
                        e -> {
                            if (e.getValue() instanceof JsonObject child) {
                                strip(child);
                            }
                        });
    }

    private void branches(JsonObject schema, String field) {
        for (var logic : List.of("allOf", "anyOf", "oneOf")) {
            var list = Json.objects(schema, logic);
            for (int i = 0; i < list.size(); i++) {
                branch(schema, list.get(i), field, field + "." + logic + "[" + i + "]");
            }
        }
        Json.object(schema, "not").ifPresent(not -> branch(schema, not, field, field + ".not"));
    }

    /** The fields that a branch names must be defined outside the branches, at {@code place}. */
    private void branch(JsonObject main, JsonObject branch, String place, String field) {
        boolean intOrString = Json.flag(main, "x-kubernetes-int-or-string");
        for (var name : NOT_IN_BRANCHES) {
            if (branch.has(name) && !(intOrString && name.equals("type"))) {
                causes.add(Cause.forbidden(field + "." + name, NOT_STRUCTURAL));
            }
        }
        Json.object(branch, "properties")
                .ifPresent(
                        properties -> {
                            for (var name : properties.keySet()) {
                                var known = Json.object(main, "properties", name);
                                var step = ".properties[" + name + "]";
                                if (known.isEmpty()) {
                                    causes.add(
                                            Cause.required(
                                                    place + step,
                                                    "because it is defined in " + field + step));
                                } else {
                                    branch(
                                            known.get(),
                                            properties.getAsJsonObject(name),
                                            place + step,
                                            field + step);
                                }
                            }
                        });
    }

    private void rules(JsonObject schema, String field) {
        var rules = Json.objects(schema, "x-kubernetes-validations");
        for (int i = 0; i < rules.size(); i++) {
            var at = field + ".x-kubernetes-validations[" + i + "].rule";
            compile(schema, Json.text(rules.get(i), "rule"), at);
            var message = Json.text(rules.get(i), "messageExpression");
            if (!message.isEmpty()) {
                compile(schema, message, at.replace(".rule", ".messageExpression"));
            }
        }
        Json.object(schema, "properties")
                .ifPresent(
                        properties ->
                                properties
                                        .entrySet()
                                        .forEach(
                                                e ->
                                                        rules(
                                                                e.getValue().getAsJsonObject(),
                                                                field
                                                                        + ".properties["
                                                                        + e.getKey()
                                                                        + "]")));
        Json.object(schema, "items").ifPresent(items -> rules(items, field + ".items"));
        Json.object(schema, "additionalProperties")
                .ifPresent(values -> rules(values, field + ".additionalProperties"));
    }

    private void compile(JsonObject schema, String rule, String field) {
        try {
            var program = Program.compile(rule);
            for (var path : program.selections()) {
                boolean rooted = ROOTS.contains(path.getFirst());
                var unknown = rooted ? undefined(schema, path) : "";
                if (!unknown.isEmpty()) {
                    throw new CelException("undefined field '" + unknown + "'");
                }
            }
        } catch (CelException e) {
            causes.add(
                    Cause.invalid(
                            field,
                            new JsonPrimitive(rule),
                            "compilation failed: ERROR: <input>: " + e.getMessage()));
        }
    }

    /** The first name of a selection that the schema does not know, or empty. */
    private static String undefined(JsonObject schema, List<String> path) {
        var here = schema;
        for (var name : path.subList(1, path.size())) {
            if (here.get("additionalProperties") instanceof JsonObject values) {
                here = values;
                continue;
            }
            var next = Json.object(here, "properties", name);
            if (next.isEmpty()) {
                boolean root = List.of("apiVersion", "kind", "metadata").contains(name);
                boolean optional = List.of("hasValue", "value").contains(name);
                return root || optional ? "" : name;
            }
            here = next.get();
        }
        return "";
    }
}
