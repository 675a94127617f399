package lvms.k8s.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

/**
 * A JSON patch (RFC 6902): all of its operations happen in their order, or none. Immutable.
 *
 * <p>A path names members from the root down; an element of a list is named by its index.
 */
public final class JsonPatch {
    private final JsonArray operations;

    private JsonPatch(JsonArray operations) {
        this.operations = operations;
    }

    /** Returns a patch without operations. */
    public static JsonPatch create() {
        return new JsonPatch(new JsonArray());
    }

    /** The patch fails ({@link ApiException.Invalid}) unless the value at the path is this one. */
    public JsonPatch test(String value, String... path) {
        return with("test", new JsonPrimitive(value), path);
    }

    /** Replaces the value at the path, which has to exist. */
    public JsonPatch replace(String value, String... path) {
        return with("replace", new JsonPrimitive(value), path);
    }

    /** Replaces the value at the path, which has to exist. */
    public JsonPatch replace(JsonElement value, String... path) {
        return with("replace", value.deepCopy(), path);
    }

    /** Removes the value at the path, which has to exist. */
    public JsonPatch remove(String... path) {
        return with("remove", null, path);
    }

    private JsonPatch with(String name, JsonElement value, String... path) {
        var operation = new JsonObject();
        operation.addProperty("op", name);
        operation.addProperty("path", pointer(path));
        if (value != null) {
            operation.add("value", value);
        }
        var all = operations.deepCopy();
        all.add(operation);
        return new JsonPatch(all);
    }

    /** The JSON pointer (RFC 6901) of a path. */
    private static String pointer(String... path) {
        var text = new StringBuilder();
        for (var name : path) {
            text.append('/').append(name.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }

    /** Returns the body of the request. */
    public JsonArray json() {
        return operations.deepCopy();
    }
}
