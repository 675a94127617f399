package lvms.tests.lab.standin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

/** Short notation for the trees that patches are made of. */
public final class Trees {
    private Trees() {}

    /**
     * An object of alternating names and values; a value is text, a number, a boolean or a tree.
     */
    public static JsonObject object(Object... namesAndValues) {
        var object = new JsonObject();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.add((String) namesAndValues[i], element(namesAndValues[i + 1]));
        }
        return object;
    }

    public static JsonArray list(Object... values) {
        var list = new JsonArray();
        for (var value : values) {
            list.add(element(value));
        }
        return list;
    }

    private static JsonElement element(Object value) {
        return switch (value) {
            case JsonElement tree -> tree;
            case String text -> new JsonPrimitive(text);
            case Number number -> new JsonPrimitive(number);
            case Boolean flag -> new JsonPrimitive(flag);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }
}
