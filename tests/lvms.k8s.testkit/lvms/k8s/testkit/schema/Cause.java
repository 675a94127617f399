package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One failed check of one field, in the words of the real server.
 *
 * @param reason the type, such as {@code FieldValueInvalid}
 * @param message what is wrong, without the field
 * @param field path of the field
 */
public record Cause(String reason, String message, String field) {

    /** A value is missing. */
    public static Cause required(String field, String detail) {
        return new Cause("FieldValueRequired", "Required value" + suffix(detail), field);
    }

    /** A value is wrong. */
    public static Cause invalid(String field, JsonElement value, String detail) {
        return new Cause(
                "FieldValueInvalid", "Invalid value: " + shown(value) + suffix(detail), field);
    }

    /** A value is wrong; it is shown only if it is short. */
    static Cause invalid(String field, Optional<JsonElement> value, String detail) {
        return value.isPresent()
                ? invalid(field, value.get(), detail)
                : new Cause("FieldValueInvalid", "Invalid value" + suffix(detail), field);
    }

    public static Cause wrongType(String field, JsonElement value, String detail) {
        return new Cause(
                "FieldValueTypeInvalid", "Invalid value: " + shown(value) + suffix(detail), field);
    }

    /** A value may not be given or changed. */
    public static Cause forbidden(String field, String detail) {
        return new Cause("FieldValueForbidden", "Forbidden" + suffix(detail), field);
    }

    /** A value is not one of the known ones. */
    public static Cause notSupported(
            String field, JsonElement value, Collection<String> supported) {
        var list =
                supported.stream().map(text -> '"' + text + '"').collect(Collectors.joining(", "));
        return new Cause(
                "FieldValueNotSupported",
                "Unsupported value: " + shown(value) + ": supported values: " + list,
                field);
    }

    /** A list member occurs twice. */
    public static Cause duplicate(String field, JsonElement value) {
        return new Cause("FieldValueDuplicate", "Duplicate value: " + shown(value), field);
    }

    /** A text is too long. */
    public static Cause tooLong(String field, long maximum) {
        return new Cause(
                "FieldValueTooLong", "Too long: may not be more than " + maximum + " bytes", field);
    }

    /** A list or map has too many members. */
    public static Cause tooMany(String field, long count, long maximum) {
        return new Cause(
                "FieldValueTooMany",
                "Too many: " + count + ": must have at most " + maximum + " items",
                field);
    }

    /** The text in the message of a Status. */
    public String text() {
        return field + ": " + message;
    }

    /** The JSON form in the details of a Status. */
    public JsonObject json() {
        return Json.of("reason", reason, "message", message, "field", field);
    }

    private static String suffix(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    private static String shown(JsonElement value) {
        return value == null ? "null" : value.toString();
    }
}
