package lvms.k8s.testkit.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Cause;

import java.util.List;
import java.util.Objects;

/** Checks that several built-in types share. */
final class Checks {
    static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

    private Checks() {}

    /** If the text is there, it must be a known one. */
    static void oneOf(List<Cause> causes, JsonObject object, List<String> known, String field) {
        var text = Json.text(object, field.split("\\."));
        if (!text.isEmpty() && !known.contains(text)) {
            causes.add(Cause.notSupported(field, new JsonPrimitive(text), known));
        }
    }

    /** A value may not change. */
    static void immutable(
            List<Cause> causes, JsonObject object, JsonObject old, String place, String field) {
        var path = place.split("\\.");
        var now = Json.at(object, path).orElse(null);
        if (!Objects.equals(now, Json.at(old, path).orElse(null))) {
            JsonElement shown = now == null ? JsonNull.INSTANCE : now;
            causes.add(Cause.invalid(field, shown, "field is immutable"));
        }
    }

    /** Access modes of claims and volumes. */
    static void accessModes(List<Cause> causes, JsonObject object, String ifMissing) {
        var field = "spec.accessModes";
        var modes = Json.texts(object, "spec", "accessModes");
        if (modes.isEmpty()) {
            causes.add(Cause.required(field, ifMissing));
        }
        for (var mode : modes) {
            if (!ACCESS_MODES.contains(mode)) {
                causes.add(Cause.notSupported(field, new JsonPrimitive(mode), ACCESS_MODES));
            }
        }
        if (modes.size() > 1 && modes.contains("ReadWriteOncePod")) {
            causes.add(
                    Cause.forbidden(field, "may not use ReadWriteOncePod with other access modes"));
        }
    }

    /** Sets a field if it is absent. */
    static void fill(JsonObject object, String field, String value) {
        if (!object.has(field)) {
            object.addProperty(field, value);
        }
    }
}
