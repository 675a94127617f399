package lvms.tests.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One schema of a CustomResourceDefinition.
 *
 * @param tree maps, lists and texts, as they stand in the file
 */
record Schema(Map<?, ?> tree) {
    /** Sentences of a description that say what a change of the field does. */
    private static final Pattern CHANGE =
            Pattern.compile("(It cannot be|It may only|A change|If it changes)\\b.*");

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.]) (?=[A-Z])");

    static Schema at(Map<?, ?> tree, Object... path) {
        Object value = tree;
        for (var key : path) {
            value = value instanceof List<?> list ? list.get((Integer) key) : map(value).get(key);
        }
        return new Schema(map(value));
    }

    private static Map<?, ?> map(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private String text(String key) {
        return tree.containsKey(key) ? tree.get(key).toString() : "";
    }

    private List<?> list(String key) {
        return tree.get(key) instanceof List<?> list ? list : List.of();
    }

    /** Returns the properties by name. */
    Map<?, ?> properties() {
        return map(tree.get("properties"));
    }

    Schema property(Object name) {
        return new Schema(map(properties().get(name)));
    }

    /** Returns the schema of the elements of a list. */
    Optional<Schema> items() {
        return tree.containsKey("items")
                ? Optional.of(new Schema(map(tree.get("items"))))
                : Optional.empty();
    }

    /** Whether it is a list whose entries have a key, so that one of them can change. */
    boolean hasKeys() {
        return !list("x-kubernetes-list-map-keys").isEmpty();
    }

    boolean requires(Object property) {
        return list("required").contains(property);
    }

    String type() {
        if (tree.containsKey("x-kubernetes-int-or-string")) {
            return "quantity";
        }
        if (items().isPresent()) {
            return "list of " + items().get().type() + "s";
        }
        if (tree.containsKey("additionalProperties")) {
            return "map of " + new Schema(map(tree.get("additionalProperties"))).type() + "s";
        }
        var format = text("format");
        return switch (format) {
            case "date-time" -> "time";
            case "" -> text("type");
            default -> format;
        };
    }

    /** Returns the default as code; empty if there is none. */
    String fallback() {
        return Table.code(text("default").replace(" ", ""));
    }

    /** Returns what the API server checks, apart from the type. */
    String rules(boolean required) {
        var rules = new ArrayList<String>();
        if (required) {
            rules.add("required");
        }
        if (tree.containsKey("enum")) {
            rules.add(
                    "one of "
                            + String.join(
                                    ", ",
                                    list("enum").stream()
                                            .map(e -> Table.code(e.toString()))
                                            .toList()));
        }
        range("minimum", "maximum", "", rules);
        range("minLength", "maxLength", " characters", rules);
        range("minProperties", "maxProperties", " entries", rules);
        range("minItems", "maxItems", " entries", rules);
        if (!text("pattern").isEmpty() && !type().equals("quantity")) {
            rules.add("matches " + Table.code(text("pattern")));
        }
        if (hasKeys()) {
            rules.add(
                    "one entry for each "
                            + Table.code(list("x-kubernetes-list-map-keys").getFirst().toString()));
        }
        for (var validation : list("x-kubernetes-validations")) {
            var rule = new Schema(map(validation));
            rules.add("CEL " + Table.code(rule.text("rule")) + ": " + rule.text("message"));
        }
        return String.join("; ", rules);
    }

    private void range(String low, String high, String unit, List<String> rules) {
        if (tree.containsKey(low) && tree.containsKey(high)) {
            rules.add(text(low) + " to " + text(high) + unit);
        } else if (tree.containsKey(low)) {
            rules.add("at least " + text(low) + unit);
        } else if (tree.containsKey(high)) {
            rules.add("at most " + text(high) + unit);
        }
    }

    /** Returns what the field means, without what a change of it does. */
    String meaning() {
        return String.join(" ", sentences().filter(s -> !CHANGE.matcher(s).matches()).toList());
    }

    /** Returns what a change of the field does; empty if the description does not say. */
    String change() {
        return String.join(" ", sentences().filter(s -> CHANGE.matcher(s).matches()).toList());
    }

    private Stream<String> sentences() {
        return SENTENCE_END.splitAsStream(text("description"));
    }
}
