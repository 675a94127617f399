package lvms.k8s.testkit.fields;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Schema;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * The path from the root of an object to one place, as keys of FieldsV1: {@code f:name}, {@code
 * k:{"name":"x"}} and {@code v:"x"}.
 */
record FieldPath(List<String> steps) implements Comparable<FieldPath> {
    static final FieldPath ROOT = new FieldPath(List.of());

    FieldPath field(String name) {
        return step("f:" + name);
    }

    FieldPath step(String step) {
        var longer = new ArrayList<>(steps);
        longer.add(step);
        return new FieldPath(List.copyOf(longer));
    }

    FieldPath parent() {
        return new FieldPath(steps.subList(0, steps.size() - 1));
    }

    boolean startsWith(String first) {
        return !steps.isEmpty() && steps.getFirst().equals(first);
    }

    /** The step to one member of a list of sets or maps. */
    static String memberStep(Schema list, JsonElement member) {
        if (list.listType() == Schema.ListType.SET || !(member instanceof JsonObject object)) {
            return "v:" + member;
        }
        var keys = new TreeMap<String, JsonElement>();
        for (var name : list.mapKeys()) {
            var value = object.get(name);
            if (value == null) {
                value =
                        list.items()
                                .flatMap(i -> i.field(name))
                                .flatMap(Schema::defaultValue)
                                .orElse(null);
            }
            if (value != null) {
                keys.put(name, value);
            }
        }
        var key = new JsonObject();
        keys.forEach(key::add);
        return "k:" + key;
    }

    /** The form in messages: {@code .spec.containers[name="x"].image}. */
    String text() {
        var text = new StringBuilder();
        for (var step : steps) {
            var rest = step.substring(2);
            switch (step.charAt(0)) {
                case 'f' -> text.append('.').append(rest);
                case 'v' -> text.append("[=").append(rest).append(']');
                default -> {
                    var pairs = new ArrayList<String>();
                    Json.parse(rest)
                            .root()
                            .getAsJsonObject()
                            .entrySet()
                            .forEach(e -> pairs.add(e.getKey() + "=" + e.getValue()));
                    text.append('[').append(String.join(",", pairs)).append(']');
                }
            }
        }
        return text.toString();
    }

    @Override
    public int compareTo(FieldPath other) {
        Iterator<String> theirs = other.steps.iterator();
        for (var step : steps) {
            if (!theirs.hasNext()) {
                return 1;
            }
            int order = step.compareTo(theirs.next());
            if (order != 0) {
                return order;
            }
        }
        return theirs.hasNext() ? -1 : 0;
    }
}
