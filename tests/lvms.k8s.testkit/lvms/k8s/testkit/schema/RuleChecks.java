package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.cel.CelException;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Runs the CEL rules of a schema, outer ones first. */
public final class RuleChecks {
    private static final Set<String> BLOCKING =
            Set.of(
                    "FieldValueNotSupported",
                    "FieldValueRequired",
                    "FieldValueTooLong",
                    "FieldValueTooMany",
                    "FieldValueTypeInvalid");

    private RuleChecks() {}

    /**
     * Adds one cause for each rule that fails, or one for all if the value is too broken to run
     * them.
     *
     * @param causes what was found before
     */
    public static void check(
            Schema schema, JsonElement value, Optional<JsonElement> old, List<Cause> causes) {
        if (!schema.hasRules()) {
            return;
        }
        if (causes.stream().map(Cause::reason).anyMatch(BLOCKING::contains)) {
            causes.add(
                    new Cause(
                            "FieldValueInvalid",
                            "Invalid value: null: some validation rules were not checked because"
                                    + " the object was invalid; correct the existing errors to"
                                    + " complete validation",
                            "<nil>"));
            return;
        }
        walk(schema, value, old, "", causes);
    }

    private static void walk(
            Schema schema,
            JsonElement value,
            Optional<JsonElement> old,
            String path,
            List<Cause> causes) {
        if (value.isJsonNull()) {
            return;
        }
        schema.rules.forEach(rule -> run(rule, value, old, path, causes));
        if (value instanceof JsonObject object) {
            for (var entry : object.entrySet()) {
                var before =
                        old.filter(JsonElement::isJsonObject)
                                .flatMap(
                                        o ->
                                                Optional.ofNullable(
                                                        o.getAsJsonObject().get(entry.getKey())));
                schema.field(entry.getKey())
                        .ifPresent(
                                field ->
                                        walk(
                                                field,
                                                entry.getValue(),
                                                before.filter(b -> !b.isJsonNull()),
                                                child(path, entry.getKey()),
                                                causes));
            }
        } else if (value instanceof JsonArray array && schema.items != null) {
            for (int i = 0; i < array.size(); i++) {
                var before = Shaped.oldMember(schema, old, array.get(i));
                walk(schema.items, array.get(i), before, path + "[" + i + "]", causes);
            }
        }
    }

    private static void run(
            Rule rule,
            JsonElement value,
            Optional<JsonElement> old,
            String path,
            List<Cause> causes) {
        if (rule.transition() && old.isEmpty() && !rule.optionalOldSelf()) {
            return;
        }
        boolean unchanged = old.isPresent() && old.get().equals(value);
        try {
            boolean passed = rule.program().test(value, old, rule.optionalOldSelf());
            if (!passed && (rule.transition() || !unchanged)) {
                causes.add(cause(rule, value, old, path));
            }
        } catch (CelException e) {
            var detail = e.getMessage() + " evaluating rule: " + rule.fallbackMessage();
            causes.add(Cause.invalid(path, shown(value), detail));
        }
    }

    private static Cause cause(
            Rule rule, JsonElement value, Optional<JsonElement> old, String path) {
        var field = rule.fieldPath().isEmpty() ? path : path + rule.fieldPath();
        var message = message(rule, value, old);
        return switch (rule.reason()) {
            case "FieldValueForbidden" -> Cause.forbidden(field, message);
            case "FieldValueRequired" -> Cause.required(field, message);
            case "FieldValueDuplicate" -> Cause.duplicate(field, value);
            default -> Cause.invalid(field, shown(value), message);
        };
    }

    private static String message(Rule rule, JsonElement value, Optional<JsonElement> old) {
        if (rule.messageProgram() == null) {
            return rule.fallbackMessage();
        }
        try {
            return rule.messageProgram().message(value, old, rule.optionalOldSelf());
        } catch (CelException _) {
            return rule.fallbackMessage(); // The real server falls back as well.
        }
    }

    /** Objects and lists are not shown; servers before 1.34 show the type instead of any value. */
    private static Optional<JsonElement> shown(JsonElement value) {
        return Optional.of(value).filter(JsonElement::isJsonPrimitive);
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
