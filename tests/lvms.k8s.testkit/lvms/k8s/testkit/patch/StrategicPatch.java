package lvms.k8s.testkit.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Strategic merge patch: a merge patch that knows how the lists of built-in types merge. */
public final class StrategicPatch {
    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";
    private static final String RETAIN = "$retainKeys";

    private StrategicPatch() {}

    /** The target with the patch applied; neither is changed. */
    public static JsonObject apply(Schema schema, JsonObject target, JsonObject patch)
            throws PatchFailure {
        return merge(Optional.of(schema), target, patch);
    }

    private static JsonObject merge(Optional<Schema> schema, JsonObject target, JsonObject patch)
            throws PatchFailure {
        var directive = Json.text(patch, DIRECTIVE);
        if (directive.equals("replace")) {
            return without(patch);
        }
        if (directive.equals("delete")) {
            return new JsonObject();
        }
        if (!directive.isEmpty() && !directive.equals("merge")) {
            throw new PatchFailure("Unknown patch type: " + directive);
        }
        var result = target.deepCopy();
        retainKeys(result, patch);
        for (var entry : patch.entrySet()) {
            if (!entry.getKey().startsWith("$")) {
                mergeField(schema, result, entry.getKey(), entry.getValue());
            }
        }
        for (var entry : patch.entrySet()) {
            applyListDirective(schema, result, entry.getKey(), entry.getValue());
        }
        return result;
    }

    private static void mergeField(
            Optional<Schema> parent, JsonObject result, String name, JsonElement value)
            throws PatchFailure {
        var schema = parent.flatMap(s -> s.field(name));
        var present = result.get(name);
        if (value.isJsonNull()) {
            result.remove(name);
        } else if (value instanceof JsonObject object) {
            var base = present instanceof JsonObject o ? o : new JsonObject();
            result.add(name, merge(schema, base, object));
        } else if (value instanceof JsonArray array) {
            var base = present instanceof JsonArray a ? a : new JsonArray();
            result.add(name, mergeList(schema, base, array));
        } else {
            result.add(name, value.deepCopy());
        }
    }

    private static JsonArray mergeList(Optional<Schema> schema, JsonArray target, JsonArray patch)
            throws PatchFailure {
        if (schema.isEmpty() || !schema.get().patchMerge()) {
            return patch.deepCopy();
        }
        return schema.get().mergeKey().isEmpty()
                ? union(target, patch)
                : mergeByKey(schema.get(), target, patch);
    }

    private static JsonArray union(JsonArray target, JsonArray patch) {
        var result = target.deepCopy();
        patch.forEach(
                member -> {
                    if (!result.contains(member)) {
                        result.add(member.deepCopy());
                    }
                });
        return result;
    }

    private static JsonArray mergeByKey(Schema schema, JsonArray target, JsonArray patch)
            throws PatchFailure {
        var members = new ArrayList<JsonElement>(target.deepCopy().asList());
        for (var element : patch) {
            if (!(element instanceof JsonObject change)) {
                throw new PatchFailure("list of maps has a member that is no map");
            }
            if (change.size() == 1 && Json.text(change, DIRECTIVE).equals("replace")) {
                members.clear();
                continue;
            }
            mergeMember(schema, members, change);
        }
        var result = new JsonArray();
        members.forEach(result::add);
        return result;
    }

    private static void mergeMember(Schema schema, List<JsonElement> members, JsonObject change)
            throws PatchFailure {
        var key = change.get(schema.mergeKey());
        if (key == null) {
            throw new PatchFailure(
                    "map: "
                            + change
                            + " does not contain declared merge key: "
                            + schema.mergeKey());
        }
        int at = indexOf(members, schema.mergeKey(), key);
        if (Json.text(change, DIRECTIVE).equals("delete")) {
            if (at >= 0) {
                members.remove(at);
            }
        } else if (at >= 0) {
            members.set(at, merge(schema.items(), members.get(at).getAsJsonObject(), change));
        } else {
            members.add(merge(schema.items(), new JsonObject(), change));
        }
    }

    private static void applyListDirective(
            Optional<Schema> schema, JsonObject result, String name, JsonElement value) {
        if (name.startsWith(DELETE_PRIMITIVES)) {
            var field = name.substring(DELETE_PRIMITIVES.length());
            if (result.get(field) instanceof JsonArray array) {
                value.getAsJsonArray().forEach(array::remove);
            }
        } else if (name.startsWith(ORDER)) {
            var field = name.substring(ORDER.length());
            if (result.get(field) instanceof JsonArray array) {
                var key = schema.flatMap(s -> s.field(field)).map(Schema::mergeKey).orElse("");
                result.add(field, ordered(array, value.getAsJsonArray(), key));
            }
        }
    }

    /** Members that the order names come first, in its order; the others follow. */
    private static JsonArray ordered(JsonArray array, JsonArray order, String key) {
        var rest = new ArrayList<>(array.asList());
        var result = new JsonArray();
        for (var wanted : order) {
            var id = key.isEmpty() ? wanted : wanted.getAsJsonObject().get(key);
            int at = key.isEmpty() ? rest.indexOf(id) : indexOf(rest, key, id);
            if (at >= 0) {
                result.add(rest.remove(at));
            }
        }
        rest.forEach(result::add);
        return result;
    }

    private static int indexOf(List<JsonElement> members, String key, JsonElement value) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i) instanceof JsonObject member && value.equals(member.get(key))) {
                return i;
            }
        }
        return -1;
    }

    private static void retainKeys(JsonObject target, JsonObject patch) {
        if (patch.get(RETAIN) instanceof JsonArray keep) {
            var names = keep.asList().stream().map(JsonElement::getAsString).toList();
            List.copyOf(target.keySet()).stream()
                    .filter(name -> !names.contains(name))
                    .forEach(target::remove);
        }
    }

    private static JsonObject without(JsonObject patch) {
        var result = patch.deepCopy();
        result.remove(DIRECTIVE);
        return result;
    }
}
