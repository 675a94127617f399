package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks a custom resource against the value rules of its schema. On updates, a value that did not
 * change may fail its checks, as on the real server; only required fields stay required.
 */
public final class ValueChecks {
    private static final Set<String> ROOT = Set.of("apiVersion", "kind", "metadata");

    private final List<Cause> causes;

    private ValueChecks(List<Cause> causes) {
        this.causes = causes;
    }

    /** Adds one cause for each failed check. */
    public static void check(
            Schema schema, JsonElement value, Optional<JsonElement> old, List<Cause> causes) {
        new ValueChecks(causes).check(schema.checks, value, old, "", schema);
    }

    private void check(
            JsonObject rules,
            JsonElement value,
            Optional<JsonElement> old,
            String path,
            Schema schema) {
        if (value.isJsonNull()) {
            if (!Json.flag(rules, "nullable")) {
                causes.add(ScalarChecks.wrongType(rules, value, path));
            }
            return;
        }
        boolean unchanged = old.isPresent() && old.get().equals(value);
        if (!unchanged) {
            var wrong = ScalarChecks.type(rules, value, path);
            if (wrong.isPresent()) {
                causes.add(wrong.get());
                return;
            }
            ScalarChecks.check(rules, value, path, causes);
            logic(rules, value, path);
        }
        children(rules, value, old, path, schema);
    }

    private void children(
            JsonObject rules,
            JsonElement value,
            Optional<JsonElement> old,
            String path,
            Schema schema) {
        if (value instanceof JsonObject object) {
            required(rules, object, path);
            for (var entry : object.entrySet()) {
                var name = entry.getKey();
                if (path.isEmpty() && ROOT.contains(name)) {
                    continue;
                }
                field(rules, name)
                        .ifPresent(
                                field ->
                                        check(
                                                field,
                                                entry.getValue(),
                                                old.flatMap(o -> oldField(o, name)),
                                                child(rules, path, name),
                                                Shaped.field(schema, name)));
            }
        } else if (value instanceof JsonArray array) {
            Json.object(rules, "items").ifPresent(items -> items(items, array, old, path, schema));
        }
    }

    private void items(
            JsonObject rules,
            JsonArray array,
            Optional<JsonElement> old,
            String path,
            Schema schema) {
        for (int i = 0; i < array.size(); i++) {
            var item = array.get(i);
            check(
                    rules,
                    item,
                    Shaped.oldMember(schema, old, item),
                    path + "[" + i + "]",
                    schema == null ? null : schema.items);
        }
    }

    private void required(JsonObject rules, JsonObject object, String path) {
        for (var name : Json.texts(rules, "required")) {
            if (!object.has(name)) {
                causes.add(Cause.required(child(rules, path, name), ""));
            }
        }
    }

    private void logic(JsonObject rules, JsonElement value, String path) {
        for (var branch : Json.objects(rules, "allOf")) {
            causes.addAll(failures(branch, value, path));
        }
        var any = Json.objects(rules, "anyOf");
        if (!any.isEmpty() && any.stream().noneMatch(b -> failures(b, value, path).isEmpty())) {
            causes.add(
                    Cause.invalid(
                            path,
                            value,
                            named(path) + " must validate at least one schema" + " (anyOf)"));
            causes.addAll(failures(any.getFirst(), value, path));
        }
        var one = Json.objects(rules, "oneOf");
        long fitting = one.stream().filter(b -> failures(b, value, path).isEmpty()).count();
        if (!one.isEmpty() && fitting != 1) {
            var found =
                    fitting == 0 ? "Found none valid" : "Found " + fitting + " valid alternatives";
            causes.add(
                    Cause.invalid(
                            path,
                            value,
                            named(path)
                                    + " must validate one and only one schema (oneOf). "
                                    + found));
        }
        Json.object(rules, "not")
                .filter(not -> failures(not, value, path).isEmpty())
                .ifPresent(
                        _ ->
                                causes.add(
                                        Cause.invalid(
                                                path,
                                                value,
                                                named(path)
                                                        + " must not validate the schema (not)")));
    }

    private static List<Cause> failures(JsonObject branch, JsonElement value, String path) {
        var found = new ArrayList<Cause>();
        new ValueChecks(found).check(branch, value, Optional.empty(), path, null);
        return found;
    }

    private static String named(String path) {
        return "\"" + path + "\"";
    }

    private static Optional<JsonObject> field(JsonObject rules, String name) {
        return Json.object(rules, "properties")
                .flatMap(p -> Optional.ofNullable(p.get(name)))
                .or(() -> Optional.ofNullable(rules.get("additionalProperties")))
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject);
    }

    private static Optional<JsonElement> oldField(JsonElement old, String name) {
        return old instanceof JsonObject object
                ? Optional.ofNullable(object.get(name))
                : Optional.empty();
    }

    private static String child(JsonObject rules, String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
