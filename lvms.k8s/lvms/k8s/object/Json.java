package lvms.k8s.object;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Strict reading, plain writing and exact comparison of JSON trees.
 *
 * <p>Integers never pass through {@code double}. The reader and writer are our own thin loops over
 * gson's token streams, since {@code JsonParser} loads every type adapter that gson has.
 */
public final class Json {
    private static final int MAX_DEPTH = 200; // gson's own limit is 255
    private static final int MAX_NUMBER_CHARS = 512;

    private Json() {}

    /**
     * Parses one document.
     *
     * @throws JsonParseException if the text is not exactly one strict JSON value
     */
    public static JsonElement parse(String text) {
        try {
            return parse(new StringReader(text));
        } catch (IOException e) {
            throw new JsonParseException(e);
        }
    }

    /**
     * Parses one document and refuses anything after it.
     *
     * @throws JsonParseException if the text is not strict JSON
     * @throws IOException if the reader fails
     */
    public static JsonElement parse(Reader reader) throws IOException {
        var json = reader(reader);
        try {
            var value = read(json);
            if (json.peek() != JsonToken.END_DOCUMENT) {
                throw new JsonParseException("text after the end of the document");
            }
            return value;
        } catch (MalformedJsonException | IllegalStateException e) {
            throw new JsonParseException(e.getMessage(), e);
        }
    }

    /** Returns a token reader with the strictness that {@link #read} expects. */
    public static JsonReader reader(Reader reader) {
        var json = new JsonReader(reader);
        json.setStrictness(Strictness.STRICT);
        return json;
    }

    /** Reads the value the token reader stands at. */
    public static JsonElement read(JsonReader reader) throws IOException {
        return read(reader, 0);
    }

    private static JsonElement read(JsonReader reader, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new JsonParseException("nested deeper than " + MAX_DEPTH);
        }
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader, depth);
            case BEGIN_ARRAY -> readArray(reader, depth);
            case STRING -> Shared.value(reader.nextString());
            case NUMBER -> new JsonPrimitive(number(reader.nextString()));
            case BOOLEAN -> new JsonPrimitive(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield JsonNull.INSTANCE;
            }
            default -> throw new JsonParseException("unexpected " + reader.peek());
        };
    }

    private static JsonObject readObject(JsonReader reader, int depth) throws IOException {
        var object = new JsonObject();
        reader.beginObject();
        while (reader.hasNext()) {
            object.add(Shared.name(reader.nextName()), read(reader, depth + 1));
        }
        reader.endObject();
        return object;
    }

    private static JsonArray readArray(JsonReader reader, int depth) throws IOException {
        var array = new JsonArray();
        reader.beginArray();
        while (reader.hasNext()) {
            array.add(read(reader, depth + 1));
        }
        reader.endArray();
        return array;
    }

    /** Returns the number as a {@code Long} where it fits, else exactly. */
    public static Number number(String text) {
        if (text.length() > MAX_NUMBER_CHARS) {
            throw new JsonParseException("number of " + text.length() + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return new BigDecimal(text);
            }
        }
        if (text.length() < 19) {
            return Long.valueOf(text);
        }
        var exact = new BigInteger(text);
        if (exact.bitLength() < Long.SIZE) {
            return exact.longValue();
        }
        return exact;
    }

    /** Returns compact text; nulls are written. */
    public static String write(JsonElement tree) {
        return write(tree, true);
    }

    /** Returns compact text without members whose value is null, as server-side apply wants it. */
    public static String writeWithoutNulls(JsonElement tree) {
        return write(tree, false);
    }

    private static String write(JsonElement tree, boolean nulls) {
        var text = new StringWriter(256);
        var writer = new JsonWriter(text);
        writer.setStrictness(Strictness.STRICT);
        writer.setSerializeNulls(nulls);
        try {
            write(writer, tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter has no I/O
        }
        return text.toString();
    }

    private static void write(JsonWriter writer, JsonElement tree) throws IOException {
        switch (tree) {
            case JsonObject object -> {
                writer.beginObject();
                for (var member : object.entrySet()) {
                    writer.name(member.getKey());
                    write(writer, member.getValue());
                }
                writer.endObject();
            }
            case JsonArray array -> {
                writer.beginArray();
                for (var element : array) {
                    write(writer, element);
                }
                writer.endArray();
            }
            case JsonPrimitive value when value.isString() -> writer.value(value.getAsString());
            case JsonPrimitive value when value.isBoolean() -> writer.value(value.getAsBoolean());
            case JsonPrimitive value -> writer.value(value.getAsNumber());
            default -> writer.nullValue();
        }
    }

    /** Compares two trees by value; numbers by their exact value, members in any order. */
    public static boolean same(JsonElement a, JsonElement b) {
        if (a instanceof JsonObject x && b instanceof JsonObject y) {
            return sameObject(x, y);
        }
        if (a instanceof JsonArray x && b instanceof JsonArray y) {
            return sameArray(x, y);
        }
        if (a instanceof JsonPrimitive x && b instanceof JsonPrimitive y) {
            return samePrimitive(x, y);
        }
        return a.isJsonNull() && b.isJsonNull();
    }

    private static boolean sameObject(JsonObject x, JsonObject y) {
        if (x.size() != y.size()) {
            return false;
        }
        for (Map.Entry<String, JsonElement> member : x.entrySet()) {
            var other = y.get(member.getKey());
            if (other == null || !same(member.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameArray(JsonArray x, JsonArray y) {
        if (x.size() != y.size()) {
            return false;
        }
        for (int i = 0; i < x.size(); i++) {
            if (!same(x.get(i), y.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean samePrimitive(JsonPrimitive x, JsonPrimitive y) {
        if (x.isNumber() && y.isNumber()) {
            return exact(x).compareTo(exact(y)) == 0;
        }
        if (x.isBoolean() || y.isBoolean()) {
            return x.isBoolean() && y.isBoolean() && x.getAsBoolean() == y.getAsBoolean();
        }
        return x.isString() && y.isString() && x.getAsString().equals(y.getAsString());
    }

    private static BigDecimal exact(JsonPrimitive number) {
        return number.getAsNumber() instanceof BigDecimal decimal
                ? decimal
                : new BigDecimal(number.getAsString());
    }

    /** Returns the string, empty for null, absent, or another type. */
    public static Optional<String> text(JsonElement value) {
        return value instanceof JsonPrimitive p && p.isString()
                ? Optional.of(p.getAsString())
                : Optional.empty();
    }

    /** Returns the integer, empty for null, absent, a fraction, or another type. */
    public static OptionalLong number(JsonElement value) {
        if (!(value instanceof JsonPrimitive p) || !p.isNumber()) {
            return OptionalLong.empty();
        }
        if (p.getAsNumber() instanceof Long || p.getAsNumber() instanceof Integer) {
            return OptionalLong.of(p.getAsLong());
        }
        try {
            return OptionalLong.of(exact(p).longValueExact());
        } catch (ArithmeticException _) {
            return OptionalLong.empty(); // a fraction, or beyond 64 bits
        }
    }

    /** Returns the boolean, empty for null, absent, or another type. */
    public static Optional<Boolean> flag(JsonElement value) {
        return value instanceof JsonPrimitive p && p.isBoolean()
                ? Optional.of(p.getAsBoolean())
                : Optional.empty();
    }
}
