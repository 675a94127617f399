package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.json.TypeMismatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an object as its type defines it: drops and remembers the fields that the schema does not
 * name, brings scalars of built-in types into their canonical form, and drops meaningless nulls.
 */
public final class Decoder {
    private static final Set<String> ROOT_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final List<String> unknown = new ArrayList<>();
    private final boolean typed;

    private Decoder(boolean typed) {
        this.typed = typed;
    }

    /**
     * A decoded object.
     *
     * @param unknown {@code unknown field "spec.x"}, in the order found
     */
    public record Decoded(JsonObject object, List<String> unknown) {}

    /** Decodes an object of a built-in type; a value of a wrong type is a {@link TypeMismatch}. */
    public static Decoded builtin(Schema schema, JsonObject object) {
        var decoder = new Decoder(true);
        return new Decoded(decoder.object(schema, object, ""), decoder.unknown);
    }

    /** Decodes a custom resource; wrong types stay, for validation to report. */
    public static Decoded custom(Schema schema, JsonObject object) {
        var decoder = new Decoder(false);
        return new Decoded(decoder.whole(schema, object, ""), decoder.unknown);
    }

    private JsonObject whole(Schema schema, JsonObject object, String path) {
        var rest = new JsonObject();
        object.entrySet().stream()
                .filter(entry -> !ROOT_FIELDS.contains(entry.getKey()))
                .forEach(entry -> rest.add(entry.getKey(), entry.getValue()));
        var result = new JsonObject();
        for (var name : List.of("apiVersion", "kind")) {
            if (object.has(name)) {
                result.add(name, object.get(name));
            }
        }
        if (object.get("metadata") instanceof JsonObject metadata) {
            var types = new Decoder(true);
            var meta = BuiltinTypes.instance().type("meta.v1.ObjectMeta");
            result.add("metadata", types.object(meta, metadata, child(path, "metadata")));
            unknown.addAll(types.unknown);
        }
        var decoded = object(schema, rest, path);
        decoded.entrySet().forEach(entry -> result.add(entry.getKey(), entry.getValue()));
        return result;
    }

    private JsonObject object(Schema schema, JsonObject object, String path) {
        var result = new JsonObject();
        for (var entry : object.entrySet()) {
            var name = entry.getKey();
            var field = schema.field(name);
            if (field.isPresent()) {
                value(field.get(), entry.getValue(), child(path, name))
                        .ifPresent(value -> result.add(name, value));
            } else if (schema.preserveUnknown) {
                result.add(name, entry.getValue().deepCopy());
            } else {
                unknown.add("unknown field \"" + child(path, name) + "\"");
            }
        }
        return result;
    }

    private Optional<JsonElement> value(Schema schema, JsonElement value, String path) {
        if (value.isJsonNull()) {
            return keepsNull(schema) ? Optional.of(value) : Optional.empty();
        }
        if (schema.embedded && value.isJsonObject()) {
            return Optional.of(whole(schema, value.getAsJsonObject(), path));
        }
        return Optional.of(
                switch (schema.type) {
                    case OBJECT ->
                            value.isJsonObject()
                                    ? object(schema, value.getAsJsonObject(), path)
                                    : mismatch(schema, value, path);
                    case ARRAY ->
                            value.isJsonArray()
                                    ? array(schema, value.getAsJsonArray(), path)
                                    : mismatch(schema, value, path);
                    case ANY -> value.deepCopy();
                    default -> typed ? scalar(schema, value, path) : value.deepCopy();
                });
    }

    /** Whether a null stays. Meaningless nulls go; a default, if any, replaces them later. */
    private boolean keepsNull(Schema schema) {
        return !typed && (schema.nullable || schema.type == Schema.Type.ANY);
    }

    private JsonArray array(Schema schema, JsonArray array, String path) {
        var result = new JsonArray();
        for (int i = 0; i < array.size(); i++) {
            var item = value(schema.items, array.get(i), path + "[" + i + "]");
            result.add(item.orElse(JsonNull.INSTANCE));
        }
        return result;
    }

    private JsonElement mismatch(Schema schema, JsonElement value, String path) {
        if (!typed) {
            return value.deepCopy();
        }
        throw wrongType(schema, value, path);
    }

    private JsonElement scalar(Schema schema, JsonElement value, String path) {
        if (!value.isJsonPrimitive()) {
            throw wrongType(schema, value, path);
        }
        var primitive = value.getAsJsonPrimitive();
        boolean fits =
                switch (schema.type) {
                    case STRING ->
                            primitive.isString()
                                    || schema.format.equals("quantity") && primitive.isNumber();
                    case INTEGER -> primitive.isNumber() && isWhole(schema, primitive);
                    case NUMBER -> primitive.isNumber();
                    case BOOLEAN -> primitive.isBoolean();
                    default -> primitive.isString() || primitive.isNumber();
                };
        if (!fits) {
            throw wrongType(schema, value, path);
        }
        return Scalars.canonical(schema.format, primitive);
    }

    private static boolean isWhole(Schema schema, JsonPrimitive value) {
        if (!Json.isWhole(value)) {
            return false;
        }
        long number = value.getAsLong();
        return !schema.format.equals("int32") || number == (int) number;
    }

    private static TypeMismatch wrongType(Schema schema, JsonElement value, String path) {
        var kind =
                value.isJsonObject()
                        ? "object"
                        : value.isJsonArray()
                                ? "array"
                                : value.getAsJsonPrimitive().isString()
                                        ? "string"
                                        : value.getAsJsonPrimitive().isBoolean()
                                                ? "bool"
                                                : "number";
        return new TypeMismatch(
                "json: cannot unmarshal "
                        + kind
                        + " into Go struct field "
                        + path
                        + " of type "
                        + goName(schema));
    }

    private static String goName(Schema schema) {
        return switch (schema.type) {
            case INTEGER -> schema.format;
            case NUMBER -> "float64";
            case BOOLEAN -> "bool";
            case ARRAY -> "[]" + goName(schema.items);
            case OBJECT -> schema.additional == null ? schema.typeName : "map[string]string";
            default -> "string";
        };
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
