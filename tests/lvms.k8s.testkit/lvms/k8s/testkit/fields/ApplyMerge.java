package lvms.k8s.testkit.fields;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.schema.Schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/** Merges an applied object into the live one, and removes what an applier no longer names. */
final class ApplyMerge {
    private ApplyMerge() {}

    /** A list in the applied object that cannot be merged by its keys. */
    static final class BadList extends Exception {
        private static final long serialVersionUID = 1;

        BadList(String message) {
            super(message);
        }
    }

    static JsonObject merge(Schema schema, JsonObject live, JsonObject applied) throws BadList {
        return objects(schema, live, applied, FieldPath.ROOT);
    }

    private static JsonObject objects(
            Schema schema, JsonObject live, JsonObject applied, FieldPath path) throws BadList {
        var result = live.deepCopy();
        for (var entry : applied.entrySet()) {
            var name = entry.getKey();
            result.add(
                    name,
                    value(
                            Shape.field(schema, name),
                            live.get(name),
                            entry.getValue(),
                            path.field(name)));
        }
        return result;
    }

    private static JsonElement value(
            Schema schema, JsonElement live, JsonElement applied, FieldPath path) throws BadList {
        return switch (Shape.of(schema, applied)) {
            case LEAF -> applied.deepCopy();
            case GRANULAR ->
                    objects(
                            schema,
                            live instanceof JsonObject object ? object : new JsonObject(),
                            applied.getAsJsonObject(),
                            path);
            case MEMBERS ->
                    members(
                            schema,
                            live instanceof JsonArray array ? array : new JsonArray(),
                            applied.getAsJsonArray(),
                            path);
        };
    }

    /**
     * Members of the applied list keep its order. Live members that it does not name stay before
     * the applied member that they preceded.
     */
    private static JsonArray members(
            Schema schema, JsonArray live, JsonArray applied, FieldPath path) throws BadList {
        checkKeys(schema, applied, path);
        var ours = new LinkedHashMap<>(Comparison.byStep(schema, applied));
        if (ours.size() < applied.size()) {
            throw new BadList(
                    path.text()
                            + ": element associated with duplicate keys in an associative list");
        }
        var theirs = Comparison.byStep(schema, live);
        var order = order(new ArrayList<>(theirs.keySet()), new ArrayList<>(ours.keySet()));
        var result = new JsonArray();
        for (var step : order) {
            var mine = ours.get(step);
            var present = theirs.get(step);
            if (mine == null) {
                result.add(present.deepCopy());
            } else {
                var items = schema.items().orElse(null);
                result.add(value(items, present, mine, path.step(step)));
            }
        }
        return result;
    }

    private static List<String> order(List<String> live, List<String> applied) {
        var named = new HashSet<>(applied);
        var result = new ArrayList<String>();
        int next = 0;
        for (var step : live) {
            if (!named.contains(step)) {
                result.add(step);
            } else {
                int at = applied.indexOf(step);
                while (next <= at) {
                    result.add(applied.get(next++));
                }
            }
        }
        while (next < applied.size()) {
            result.add(applied.get(next++));
        }
        return result;
    }

    private static void checkKeys(Schema schema, JsonArray applied, FieldPath path) throws BadList {
        if (schema.listType() != Schema.ListType.MAP) {
            return;
        }
        for (var member : applied) {
            if (FieldPath.memberStep(schema, member).equals("k:{}")) {
                throw new BadList(
                        path.text()
                                + ": element 0: associative list with keys has an element that"
                                + " omits all key fields "
                                + schema.mapKeys());
            }
        }
    }

    /** Removes the places of a set from an object; ignores those that are not there. */
    static void remove(Schema schema, JsonObject object, FieldSet places) {
        places.paths().forEach(path -> remove(schema, object, path.steps()));
    }

    private static void remove(Schema schema, JsonElement here, List<String> steps) {
        var step = steps.getFirst();
        var rest = steps.subList(1, steps.size());
        if (here instanceof JsonObject object && step.startsWith("f:")) {
            var name = step.substring(2);
            if (rest.isEmpty()) {
                object.remove(name);
            } else if (object.has(name)) {
                remove(Shape.field(schema, name), object.get(name), rest);
            }
        } else if (here instanceof JsonArray array && schema != null) {
            for (int i = array.size() - 1; i >= 0; i--) {
                if (FieldPath.memberStep(schema, array.get(i)).equals(step)) {
                    if (rest.isEmpty()) {
                        array.remove(i);
                    } else {
                        remove(schema.items().orElse(null), array.get(i), rest);
                    }
                }
            }
        }
    }
}
