package lvms.k8s.testkit.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.ArrayList;
import java.util.List;

/** JSON patch (RFC 6902). */
public final class JsonPatch {
    /** The server refuses more operations than this. */
    public static final int MAX_OPERATIONS = 10_000;

    private JsonPatch() {}

    /** A copy of the target with all operations applied. */
    public static JsonElement apply(JsonElement target, JsonArray operations) throws PatchFailure {
        JsonElement root = target.deepCopy();
        for (var operation : operations) {
            if (!(operation instanceof JsonObject object)) {
                throw new PatchFailure("Unexpected kind: unknown");
            }
            root = apply(root, object);
        }
        return root;
    }

    private static JsonElement apply(JsonElement root, JsonObject operation) throws PatchFailure {
        var op = text(operation, "op");
        var path = text(operation, "path");
        switch (op) {
            case "add" -> {
                return add(root, path, value(operation));
            }
            case "remove" -> remove(root, path);
            case "replace" -> {
                return replace(root, path, value(operation));
            }
            case "test" -> test(root, path, operation.get("value"));
            case "copy" -> {
                return add(root, path, find(root, text(operation, "from")).deepCopy());
            }
            case "move" -> {
                var value = find(root, text(operation, "from"));
                remove(root, text(operation, "from"));
                return add(root, path, value);
            }
            default -> throw new PatchFailure("Unexpected kind: " + op);
        }
        return root;
    }

    private static JsonElement add(JsonElement root, String path, JsonElement value)
            throws PatchFailure {
        if (path.isEmpty()) {
            return value;
        }
        var parent = parent(root, path, "add");
        var key = last(path);
        if (parent instanceof JsonArray array) {
            int index = key.equals("-") ? array.size() : index(key, array.size() + 1, path, "add");
            insert(array, index, value);
        } else {
            parent.getAsJsonObject().add(key, value);
        }
        return root;
    }

    private static void insert(JsonArray array, int index, JsonElement value) {
        var tail = new ArrayList<JsonElement>();
        while (array.size() > index) {
            tail.add(array.remove(index));
        }
        array.add(value);
        tail.forEach(array::add);
    }

    private static void remove(JsonElement root, String path) throws PatchFailure {
        var parent = parent(root, path, "remove");
        var key = last(path);
        if (parent instanceof JsonArray array) {
            array.remove(index(key, array.size(), path, "remove"));
        } else if (parent.getAsJsonObject().remove(key) == null) {
            throw missing("remove", path);
        }
    }

    private static JsonElement replace(JsonElement root, String path, JsonElement value)
            throws PatchFailure {
        if (path.isEmpty()) {
            return value;
        }
        var parent = parent(root, path, "replace");
        var key = last(path);
        if (parent instanceof JsonArray array) {
            array.set(index(key, array.size(), path, "replace"), value);
        } else {
            if (!parent.getAsJsonObject().has(key)) {
                throw missing("replace", path);
            }
            parent.getAsJsonObject().add(key, value);
        }
        return root;
    }

    private static void test(JsonElement root, String path, JsonElement expected)
            throws PatchFailure {
        JsonElement found = null;
        try {
            found = find(root, path);
        } catch (PatchFailure e) {
            if (expected != null && !expected.isJsonNull()) {
                throw new PatchFailure("testing path " + path + ": " + e.getMessage());
            }
            return;
        }
        boolean wantsNull = expected == null || expected.isJsonNull();
        if (wantsNull ? !found.isJsonNull() : !found.equals(expected)) {
            throw new PatchFailure("testing value " + path + " failed: test failed");
        }
    }

    private static JsonElement find(JsonElement root, String path) throws PatchFailure {
        var here = root;
        for (var step : steps(path)) {
            here = child(here, step, path);
        }
        return here;
    }

    private static JsonElement parent(JsonElement root, String path, String operation)
            throws PatchFailure {
        var steps = steps(path);
        var here = root;
        for (var step : steps.subList(0, steps.size() - 1)) {
            try {
                here = child(here, step, path);
            } catch (PatchFailure _) {
                throw missing(operation, path);
            }
        }
        if (!here.isJsonObject() && !here.isJsonArray()) {
            throw missing(operation, path);
        }
        return here;
    }

    private static JsonElement child(JsonElement here, String step, String path)
            throws PatchFailure {
        if (here instanceof JsonArray array) {
            return array.get(index(step, array.size(), path, "get"));
        }
        if (here instanceof JsonObject object && object.has(step)) {
            return object.get(step);
        }
        throw missing("get", path);
    }

    private static int index(String text, int limit, String path, String operation)
            throws PatchFailure {
        try {
            int index = Integer.parseInt(text);
            int counted = index < 0 ? index + limit : index;
            if (counted >= 0 && counted < limit) {
                return counted;
            }
        } catch (NumberFormatException _) {
            throw missing(operation, path);
        }
        throw new PatchFailure(
                operation
                        + " operation does not apply: doc is missing path: \""
                        + path
                        + "\": invalid index referenced");
    }

    private static List<String> steps(String path) throws PatchFailure {
        if (path.isEmpty()) {
            return List.of();
        }
        if (!path.startsWith("/")) {
            throw new PatchFailure("path does not begin with a slash: " + path);
        }
        var steps = new ArrayList<String>();
        for (var step : path.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private static String last(String path) throws PatchFailure {
        return steps(path).getLast();
    }

    private static JsonElement value(JsonObject operation) throws PatchFailure {
        if (!operation.has("value")) {
            throw new PatchFailure("operation without a value");
        }
        return operation.get("value").deepCopy();
    }

    private static String text(JsonObject operation, String name) throws PatchFailure {
        var value = operation.get(name);
        if (value == null || !value.isJsonPrimitive()) {
            throw new PatchFailure("operation without " + name);
        }
        return value.getAsString();
    }

    private static PatchFailure missing(String operation, String path) {
        return new PatchFailure(
                operation
                        + " operation does not apply: doc is missing path: \""
                        + path
                        + "\": missing value");
    }
}
