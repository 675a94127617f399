package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.List;

/** Fills in the defaults of a schema, parents before children. */
public final class Defaults {
    private Defaults() {}

    /** Completes the value in place. */
    public static void apply(Schema schema, JsonElement value) {
        if (value instanceof JsonObject object) {
            fill(schema, object);
            for (var name : List.copyOf(object.keySet())) {
                schema.field(name).ifPresent(field -> apply(field, object.get(name)));
            }
        } else if (value.isJsonArray() && schema.items != null) {
            value.getAsJsonArray().forEach(item -> apply(schema.items, item));
        }
    }

    private static void fill(Schema schema, JsonObject object) {
        schema.properties.forEach(
                (name, field) -> {
                    var present = object.get(name);
                    boolean absent = present == null || present.isJsonNull() && !field.nullable;
                    if (absent && field.defaultValue != null) {
                        object.add(name, field.defaultValue.deepCopy());
                    }
                });
    }
}
