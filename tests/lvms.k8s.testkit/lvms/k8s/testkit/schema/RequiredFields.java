package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.List;

/**
 * Finds the required fields that a built-in object leaves out. Status is not checked: its writers
 * are trusted, as in the real server.
 */
public final class RequiredFields {
    private RequiredFields() {}

    /** Adds one cause for each field that is missing. */
    public static void check(Schema schema, JsonObject object, List<Cause> causes) {
        object(schema, object, "", causes);
    }

    private static void object(Schema schema, JsonObject object, String path, List<Cause> causes) {
        for (var name : schema.required) {
            var value = object.get(name);
            if (value == null || isEmpty(value)) {
                causes.add(Cause.required(child(path, name), ""));
            }
        }
        for (var entry : object.entrySet()) {
            var field = schema.field(entry.getKey());
            boolean status = path.isEmpty() && entry.getKey().equals("status");
            if (field.isPresent() && !status) {
                value(field.get(), entry.getValue(), place(schema, path, entry.getKey()), causes);
            }
        }
    }

    private static void value(Schema schema, JsonElement value, String path, List<Cause> causes) {
        if (value instanceof JsonObject object) {
            object(schema, object, path, causes);
        } else if (value.isJsonArray() && schema.items != null) {
            for (int i = 0; i < value.getAsJsonArray().size(); i++) {
                value(schema.items, value.getAsJsonArray().get(i), path + "[" + i + "]", causes);
            }
        }
    }

    /** Empty texts count as missing, but empty objects and lists may mean something. */
    private static boolean isEmpty(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsString().isEmpty();
    }

    private static String place(Schema schema, String path, String name) {
        return schema.properties.containsKey(name) ? child(path, name) : path + "[" + name + "]";
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
