package lvms.k8s.testkit.fields;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.schema.Schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** What differs between two states of an object. */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {

    static Comparison of(Schema schema, JsonObject before, JsonObject after) {
        var walk = new Walk();
        walk.objects(schema, before, after, FieldPath.ROOT);
        return new Comparison(
                FieldSet.of(walk.added), FieldSet.of(walk.modified), FieldSet.of(walk.removed));
    }

    FieldSet changed() {
        return added.union(modified);
    }

    private static final class Walk {
        final List<FieldPath> added = new ArrayList<>();
        final List<FieldPath> modified = new ArrayList<>();
        final List<FieldPath> removed = new ArrayList<>();

        void objects(Schema schema, JsonObject before, JsonObject after, FieldPath path) {
            var names = new LinkedHashSet<>(before.keySet());
            names.addAll(after.keySet());
            for (var name : names) {
                values(
                        Shape.field(schema, name),
                        before.get(name),
                        after.get(name),
                        path.field(name));
            }
        }

        private void values(Schema schema, JsonElement before, JsonElement after, FieldPath path) {
            if (before == null) {
                all(schema, after, path, added);
            } else if (after == null) {
                all(schema, before, path, removed);
            } else if (!before.equals(after)) {
                differing(schema, before, after, path);
            }
        }

        private void differing(
                Schema schema, JsonElement before, JsonElement after, FieldPath path) {
            var shape = Shape.of(schema, after);
            if (shape == Shape.LEAF || shape != Shape.of(schema, before)) {
                modified.add(path);
            } else if (shape == Shape.GRANULAR) {
                objects(schema, before.getAsJsonObject(), after.getAsJsonObject(), path);
            } else {
                members(schema, before, after, path);
            }
        }

        private void members(Schema schema, JsonElement before, JsonElement after, FieldPath path) {
            var old = byStep(schema, before);
            var now = byStep(schema, after);
            var steps = new LinkedHashSet<>(old.keySet());
            steps.addAll(now.keySet());
            for (var step : steps) {
                values(schema.items().orElse(null), old.get(step), now.get(step), path.step(step));
            }
        }

        private void all(Schema schema, JsonElement value, FieldPath path, List<FieldPath> into) {
            into.add(path);
            switch (Shape.of(schema, value)) {
                case LEAF -> {}
                case GRANULAR ->
                        value.getAsJsonObject()
                                .entrySet()
                                .forEach(
                                        e ->
                                                all(
                                                        Shape.field(schema, e.getKey()),
                                                        e.getValue(),
                                                        path.field(e.getKey()),
                                                        into));
                case MEMBERS ->
                        byStep(schema, value)
                                .forEach(
                                        (step, member) ->
                                                all(
                                                        schema.items().orElse(null),
                                                        member,
                                                        path.step(step),
                                                        into));
            }
        }
    }

    /** The members of a list by their step; the first of duplicates wins. */
    static Map<String, JsonElement> byStep(Schema schema, JsonElement list) {
        var result = new LinkedHashMap<String, JsonElement>();
        for (var member : list.getAsJsonArray()) {
            result.putIfAbsent(FieldPath.memberStep(schema, member), member);
        }
        return result;
    }
}
