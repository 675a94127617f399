package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Finds duplicate members of sets and duplicate keys of map lists. An object that already had
 * duplicates may keep them.
 */
public final class ListChecks {
    private ListChecks() {}

    /** Adds one cause for each duplicate member. */
    public static void check(
            Schema schema, JsonElement value, Optional<JsonElement> old, List<Cause> causes) {
        var before = new ArrayList<Cause>();
        old.ifPresent(o -> walk(schema, o, "", before));
        if (before.isEmpty()) {
            walk(schema, value, "", causes);
        }
    }

    private static void walk(Schema schema, JsonElement value, String path, List<Cause> causes) {
        if (value instanceof JsonObject object) {
            object.entrySet()
                    .forEach(
                            e ->
                                    schema.field(e.getKey())
                                            .ifPresent(
                                                    f ->
                                                            walk(
                                                                    f,
                                                                    e.getValue(),
                                                                    child(path, e.getKey()),
                                                                    causes)));
        } else if (value instanceof JsonArray array && schema.items != null) {
            duplicates(schema, array, path, causes);
            for (int i = 0; i < array.size(); i++) {
                walk(schema.items, array.get(i), path + "[" + i + "]", causes);
            }
        }
    }

    private static void duplicates(
            Schema schema, JsonArray array, String path, List<Cause> causes) {
        if (schema.listType == Schema.ListType.ATOMIC) {
            return;
        }
        var seen = new HashSet<JsonElement>();
        for (int i = 0; i < array.size(); i++) {
            var identity = identity(schema, array.get(i));
            if (!seen.add(identity)) {
                causes.add(Cause.duplicate(path + "[" + i + "]", identity));
            }
        }
    }

    private static JsonElement identity(Schema schema, JsonElement member) {
        if (schema.listType != Schema.ListType.MAP || !(member instanceof JsonObject object)) {
            return member;
        }
        var keys = new JsonObject();
        schema.mapKeys.forEach(name -> keys.add(name, object.get(name)));
        return keys;
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
