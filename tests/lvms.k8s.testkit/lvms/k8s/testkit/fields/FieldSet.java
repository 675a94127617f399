package lvms.k8s.testkit.fields;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.schema.Schema;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A set of places in an object. Immutable; operations make new sets. */
record FieldSet(SortedSet<FieldPath> paths) {
    static final FieldSet EMPTY = new FieldSet(new TreeSet<>());

    static FieldSet of(Collection<FieldPath> paths) {
        return new FieldSet(new TreeSet<>(paths));
    }

    /** The places that an applied object names. */
    static FieldSet ofObject(Schema schema, JsonObject object) {
        var paths = new TreeSet<FieldPath>();
        collectObject(schema, object, FieldPath.ROOT, paths);
        return new FieldSet(paths);
    }

    private static void collect(
            Schema schema, JsonElement value, FieldPath path, SortedSet<FieldPath> paths) {
        switch (Shape.of(schema, value)) {
            case LEAF -> paths.add(path);
            case GRANULAR -> collectObject(schema, value.getAsJsonObject(), path, paths);
            case MEMBERS -> {
                for (var member : value.getAsJsonArray()) {
                    var at = path.step(FieldPath.memberStep(schema, member));
                    paths.add(at);
                    schema.items()
                            .filter(_ -> member.isJsonObject())
                            .ifPresent(items -> collect(items, member, at, paths));
                }
            }
        }
    }

    private static void collectObject(
            Schema schema, JsonObject object, FieldPath path, SortedSet<FieldPath> paths) {
        for (var entry : object.entrySet()) {
            var at = path.field(entry.getKey());
            boolean named = schema != null && schema.properties().containsKey(entry.getKey());
            if (!named) {
                paths.add(at);
            }
            collect(Shape.field(schema, entry.getKey()), entry.getValue(), at, paths);
        }
        if (object.isEmpty() && !path.steps().isEmpty()) {
            paths.add(path);
        }
    }

    FieldSet union(FieldSet other) {
        var result = new TreeSet<>(paths);
        result.addAll(other.paths);
        return new FieldSet(result);
    }

    FieldSet minus(FieldSet other) {
        return filter(path -> !other.paths.contains(path));
    }

    FieldSet intersect(FieldSet other) {
        return filter(other.paths::contains);
    }

    FieldSet filter(Predicate<FieldPath> keep) {
        var result = new TreeSet<FieldPath>();
        paths.stream().filter(keep).forEach(result::add);
        return new FieldSet(result);
    }

    /** The set with every place on the way to its members. */
    FieldSet withParents() {
        var result = new TreeSet<FieldPath>();
        for (var path : paths) {
            for (var p = path; !p.steps().isEmpty() && result.add(p); p = p.parent()) {
                // A parent that is already there has all of its own parents.
                continue;
            }
        }
        return new FieldSet(result);
    }

    boolean isEmpty() {
        return paths.isEmpty();
    }

    /** The FieldsV1 form. */
    JsonObject json() {
        var root = new JsonObject();
        for (var path : paths) {
            var here = root;
            for (var step : path.steps()) {
                if (!here.has(step)) {
                    here.add(step, new JsonObject());
                }
                here = here.getAsJsonObject(step);
            }
            here.add(".", new JsonObject());
        }
        dropLoneDots(root);
        return root;
    }

    /** Drops the dot, which means "itself", from leaves: nothing else is below them. */
    private static void dropLoneDots(JsonObject node) {
        for (var entry : node.entrySet()) {
            var child = entry.getValue().getAsJsonObject();
            if (child.size() == 1 && child.has(".")) {
                child.remove(".");
            } else {
                dropLoneDots(child);
            }
        }
    }

    /** Reads the FieldsV1 form. */
    static FieldSet parse(JsonObject fields) {
        var paths = new TreeSet<FieldPath>();
        parse(fields, FieldPath.ROOT, paths);
        return new FieldSet(paths);
    }

    private static void parse(JsonObject node, FieldPath path, SortedSet<FieldPath> paths) {
        for (var entry : node.entrySet()) {
            if (entry.getKey().equals(".")) {
                paths.add(path);
            } else if (entry.getValue() instanceof JsonObject child) {
                var at = path.step(entry.getKey());
                if (child.isEmpty()) {
                    paths.add(at);
                } else {
                    parse(child, at, paths);
                }
            }
        }
    }
}
