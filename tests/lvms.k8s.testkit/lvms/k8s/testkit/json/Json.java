package lvms.k8s.testkit.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads JSON strictly and holds whole numbers as {@code long}, others as {@code double}, so that
 * trees with the same meaning are equal.
 */
public final class Json {
    private static final int MAX_DEPTH = 512;

    /**
     * A document and the keys that occurred twice in one object.
     *
     * @param duplicates dotted paths, in the order found
     */
    public record Document(JsonElement root, List<String> duplicates) {}

    private Json() {}

    /** Parses one document; trailing data is an error. */
    public static Document parse(String text) {
        var duplicates = new ArrayList<String>();
        try (var reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            var root = read(reader, "", duplicates, 0);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new JsonParseException("trailing data after the document");
            }
            return new Document(root, duplicates);
        } catch (IOException | IllegalStateException e) {
            throw new JsonParseException(e.getMessage(), e);
        }
    }

    /** Copies a tree from the client. */
    public static JsonElement of(Tree tree) {
        return parse(tree.toString()).root();
    }

    /** Copies a tree for the client. */
    public static ObjectTree tree(JsonObject object) {
        return lvms.k8s.tree.Json.parse(object.toString()).asObject();
    }

    private static JsonElement read(
            JsonReader reader, String path, List<String> duplicates, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new JsonParseException("nested more than " + MAX_DEPTH + " levels");
        }
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader, path, duplicates, depth);
            case BEGIN_ARRAY -> readArray(reader, path, duplicates, depth);
            case STRING -> new JsonPrimitive(reader.nextString());
            case BOOLEAN -> new JsonPrimitive(reader.nextBoolean());
            case NUMBER -> number(reader.nextString());
            case NULL -> {
                reader.nextNull();
                yield JsonNull.INSTANCE;
            }
            default -> throw new JsonParseException("unexpected " + reader.peek());
        };
    }

    private static JsonObject readObject(
            JsonReader reader, String path, List<String> duplicates, int depth) throws IOException {
        var object = new JsonObject();
        reader.beginObject();
        while (reader.hasNext()) {
            var name = reader.nextName();
            var child = path.isEmpty() ? name : path + "." + name;
            if (object.has(name)) {
                duplicates.add(child);
            }
            object.add(name, read(reader, child, duplicates, depth + 1));
        }
        reader.endObject();
        return object;
    }

    private static JsonArray readArray(
            JsonReader reader, String path, List<String> duplicates, int depth) throws IOException {
        var array = new JsonArray();
        reader.beginArray();
        while (reader.hasNext()) {
            array.add(read(reader, path + "[" + array.size() + "]", duplicates, depth + 1));
        }
        reader.endArray();
        return array;
    }

    private static JsonPrimitive number(String text) {
        var value = new BigDecimal(text);
        try {
            return new JsonPrimitive(value.longValueExact());
        } catch (ArithmeticException _) {
            return new JsonPrimitive(value.doubleValue());
        }
    }

    /** The object at a path of keys, if each step is an object. */
    public static Optional<JsonObject> object(JsonObject root, String... path) {
        return at(root, path).filter(JsonElement::isJsonObject).map(JsonElement::getAsJsonObject);
    }

    /** The labels of an object of any kind. */
    public static Map<String, String> labels(JsonObject object) {
        var labels = new HashMap<String, String>();
        object(object, "metadata", "labels").map(JsonObject::entrySet).orElse(Set.of()).stream()
                .forEach(label -> labels.put(label.getKey(), label.getValue().getAsString()));
        return labels;
    }

    /** The text at a path, empty if it is absent or not a string. */
    public static String text(JsonObject root, String... path) {
        return at(root, path).filter(Json::isString).map(JsonElement::getAsString).orElse("");
    }

    public static long number(JsonObject root, long fallback, String... path) {
        return at(root, path)
                .filter(e -> e.isJsonPrimitive() && e.getAsJsonPrimitive().isNumber())
                .map(JsonElement::getAsLong)
                .orElse(fallback);
    }

    /** Whether the value at a path is {@code true}. */
    public static boolean flag(JsonObject root, String... path) {
        return at(root, path).filter(e -> e.equals(new JsonPrimitive(true))).isPresent();
    }

    /** The elements of the list at a path; none if it is absent. */
    public static List<JsonElement> list(JsonObject root, String... path) {
        return at(root, path)
                .filter(JsonElement::isJsonArray)
                .map(e -> e.getAsJsonArray().asList())
                .orElse(List.of());
    }

    public static List<JsonObject> objects(JsonObject root, String... path) {
        return list(root, path).stream()
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    public static List<String> texts(JsonObject root, String... path) {
        return list(root, path).stream()
                .filter(Json::isString)
                .map(JsonElement::getAsString)
                .toList();
    }

    /** The value at a path of keys. */
    public static Optional<JsonElement> at(JsonObject root, String... path) {
        JsonElement here = root;
        for (var key : path) {
            if (here == null || !here.isJsonObject()) {
                return Optional.empty();
            }
            here = here.getAsJsonObject().get(key);
        }
        return Optional.ofNullable(here).filter(e -> !e.isJsonNull());
    }

    /** The child object of this name, created if need be. */
    public static JsonObject child(JsonObject parent, String name) {
        if (!(parent.get(name) instanceof JsonObject)) {
            parent.add(name, new JsonObject());
        }
        return parent.getAsJsonObject(name);
    }

    /** Whether the element is a whole number. */
    public static boolean isWhole(JsonElement element) {
        return element != null
                && element.isJsonPrimitive()
                && element.getAsJsonPrimitive().isNumber()
                && (element.getAsNumber() instanceof Long
                        || element.getAsNumber() instanceof Integer);
    }

    /** An array of strings. */
    public static JsonArray array(Iterable<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    /** An object of alternating names and values; values are texts, numbers, flags or elements. */
    public static JsonObject of(Object... namesAndValues) {
        var object = new JsonObject();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.add((String) namesAndValues[i], element(namesAndValues[i + 1]));
        }
        return object;
    }

    /** An array of texts, numbers, flags or elements. */
    public static JsonArray arrayOf(Object... values) {
        var array = new JsonArray();
        for (var value : values) {
            array.add(element(value));
        }
        return array;
    }

    public static boolean isString(JsonElement element) {
        return element != null
                && element.isJsonPrimitive()
                && element.getAsJsonPrimitive().isString();
    }

    private static JsonElement element(Object value) {
        return switch (value) {
            case null -> JsonNull.INSTANCE;
            case JsonElement element -> element;
            case String text -> new JsonPrimitive(text);
            case Boolean flag -> new JsonPrimitive(flag);
            case Number number -> new JsonPrimitive(number.longValue());
            default -> throw new IllegalArgumentException("no JSON form: " + value);
        };
    }
}
