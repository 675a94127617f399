package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The value rules of one place: type, bounds, patterns, enumerations, formats. */
final class ScalarChecks {
    private ScalarChecks() {}

    /** A cause if the value is not of the type. */
    static Optional<Cause> type(JsonObject rules, JsonElement value, String path) {
        if (Json.flag(rules, "x-kubernetes-int-or-string")) {
            boolean fits = Json.isString(value) || isInteger(value);
            return fits ? Optional.empty() : Optional.of(wrongType(rules, value, path));
        }
        boolean fits =
                switch (Json.text(rules, "type")) {
                    case "object" -> value.isJsonObject();
                    case "array" -> value.isJsonArray();
                    case "string" -> Json.isString(value);
                    case "integer" -> isInteger(value);
                    case "number" -> isNumber(value);
                    case "boolean" ->
                            value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean();
                    default -> true;
                };
        return fits ? Optional.empty() : Optional.of(wrongType(rules, value, path));
    }

    static Cause wrongType(JsonObject rules, JsonElement value, String path) {
        var wanted =
                Json.flag(rules, "x-kubernetes-int-or-string")
                        ? "integer,string"
                        : Json.text(rules, "type");
        var detail = path + " in body must be of type " + wanted + ": " + quotedKind(value);
        return Cause.wrongType(path, shown(value), detail);
    }

    private static JsonElement shown(JsonElement value) {
        return value.isJsonPrimitive() || value.isJsonNull()
                ? value
                : new JsonPrimitive(kind(value));
    }

    private static String quotedKind(JsonElement value) {
        return '"' + kind(value) + '"';
    }

    private static String kind(JsonElement value) {
        if (value.isJsonNull()) {
            return "null";
        }
        if (value.isJsonObject() || value.isJsonArray()) {
            return value.isJsonObject() ? "object" : "array";
        }
        if (Json.isString(value)) {
            return "string";
        }
        return isNumber(value) ? (isInteger(value) ? "integer" : "number") : "boolean";
    }

    private static boolean isNumber(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber();
    }

    private static boolean isInteger(JsonElement value) {
        return Json.isWhole(value);
    }

    /** Adds a cause for each rule that the value breaks. */
    static void check(JsonObject rules, JsonElement value, String path, List<Cause> causes) {
        enumeration(rules, value, path, causes);
        if (Json.isString(value)) {
            text(rules, value, path, causes);
        } else if (isNumber(value)) {
            number(rules, value, path, causes);
        } else if (value instanceof JsonArray array) {
            size(rules, array.size(), "Items", "items", path, value, causes);
        } else if (value instanceof JsonObject object) {
            size(rules, object.size(), "Properties", "properties", path, value, causes);
        }
    }

    private static void enumeration(
            JsonObject rules, JsonElement value, String path, List<Cause> causes) {
        if (!(rules.get("enum") instanceof JsonArray known) || known.contains(value)) {
            return;
        }
        var texts = new ArrayList<String>();
        known.forEach(e -> texts.add(Json.isString(e) ? e.getAsString() : e.toString()));
        causes.add(Cause.notSupported(path, value, texts));
    }

    private static void text(JsonObject rules, JsonElement value, String path, List<Cause> causes) {
        var text = value.getAsString();
        int length = text.codePointCount(0, text.length());
        long most = Json.number(rules, Long.MAX_VALUE, "maxLength");
        if (length > most) {
            causes.add(Cause.tooLong(path, most));
        }
        long least = Json.number(rules, 0, "minLength");
        if (length < least) {
            causes.add(
                    Cause.invalid(
                            path,
                            value,
                            inBody(path, "should be at least " + least + " chars long")));
        }
        var pattern = Json.text(rules, "pattern");
        if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
            causes.add(Cause.invalid(path, value, inBody(path, "should match '" + pattern + "'")));
        }
        var format = Json.text(rules, "format");
        if (!Formats.fits(format, text)) {
            causes.add(
                    Cause.invalid(
                            path,
                            value,
                            inBody(path, "must be of type " + format + ": \"" + text + "\"")));
        }
    }

    private static void number(
            JsonObject rules, JsonElement value, String path, List<Cause> causes) {
        double number = value.getAsDouble();
        if (rules.has("minimum")) {
            double least = rules.get("minimum").getAsDouble();
            boolean exclusive = Json.flag(rules, "exclusiveMinimum");
            if (exclusive ? number <= least : number < least) {
                bound(
                        causes,
                        path,
                        value,
                        exclusive ? "greater than " : "greater than or equal to ",
                        rules.get("minimum"));
            }
        }
        if (rules.has("maximum")) {
            double most = rules.get("maximum").getAsDouble();
            boolean exclusive = Json.flag(rules, "exclusiveMaximum");
            if (exclusive ? number >= most : number > most) {
                bound(
                        causes,
                        path,
                        value,
                        exclusive ? "less than " : "less than or equal to ",
                        rules.get("maximum"));
            }
        }
        if (rules.has("multipleOf") && number % rules.get("multipleOf").getAsDouble() != 0) {
            bound(causes, path, value, "a multiple of ", rules.get("multipleOf"));
        }
        boolean small = !isInteger(value) || value.getAsLong() == (int) value.getAsLong();
        if (Json.text(rules, "format").equals("int32") && !small) {
            causes.add(
                    Cause.invalid(
                            path, value, inBody(path, "must be of type int32: \"" + value + "\"")));
        }
    }

    private static void bound(
            List<Cause> causes, String path, JsonElement value, String what, JsonElement bound) {
        causes.add(Cause.invalid(path, value, inBody(path, "should be " + what + bound)));
    }

    private static void size(
            JsonObject rules,
            int size,
            String suffix,
            String noun,
            String path,
            JsonElement value,
            List<Cause> causes) {
        long most = Json.number(rules, Long.MAX_VALUE, "max" + suffix);
        if (size > most) {
            causes.add(Cause.tooMany(path, size, most));
        }
        long least = Json.number(rules, 0, "min" + suffix);
        if (size < least) {
            var detail = inBody(path, "should have at least " + least + " " + noun);
            causes.add(Cause.invalid(path, new JsonPrimitive(size), detail));
        }
    }

    private static String inBody(String path, String what) {
        return path + " in body " + what;
    }
}
