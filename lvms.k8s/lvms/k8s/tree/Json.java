package lvms.k8s.tree;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;

import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Strict reading and plain writing of JSON text.
 *
 * <p>Integers never pass through {@code double}. If an object names a member twice, the last value
 * wins. The reader and writer are our own thin loops over gson's token streams, since {@code
 * JsonParser} loads every type adapter that gson has.
 */
public final class Json {
    private static final int MAX_DEPTH = 200; // gson's own limit is 255

    private static final Pattern PLACE = Pattern.compile("at line \\d+ column \\d+ path \\S*");

    private Json() {}

    /**
     * Parses one document.
     *
     * @throws JsonException if the text is not exactly one strict JSON value
     */
    public static Tree parse(String text) {
        try {
            return parse(new StringReader(text));
        } catch (EOFException e) {
            throw new JsonException("the text ends within a value", e);
        } catch (IOException e) {
            throw new JsonException(e.toString(), e);
        }
    }

    /**
     * Parses one document and refuses anything after it.
     *
     * @throws JsonException if the text is not strict JSON
     * @throws IOException if the reader fails
     */
    public static Tree parse(Reader reader) throws IOException {
        var json = strict(reader);
        try {
            var value = read(json, 0);
            requireEnd(json);
            return value;
        } catch (MalformedJsonException e) {
            throw malformed(e);
        }
    }

    /**
     * Parses an object and passes on the elements of one of its lists one by one, so that no tree
     * of the whole exists.
     *
     * @param member the name of the list
     * @return the object without the list
     * @throws JsonException if the text is not one strict JSON object
     * @throws IOException if the reader fails
     */
    public static ObjectTree parse(Reader reader, String member, Consumer<Tree> element)
            throws IOException {
        var json = strict(reader);
        try {
            if (json.peek() != JsonToken.BEGIN_OBJECT) {
                throw new JsonException("the document is not an object");
            }
            var rest = ObjectTree.builder();
            json.beginObject();
            while (json.hasNext()) {
                var name = json.nextName();
                if (name.equals(member) && json.peek() == JsonToken.BEGIN_ARRAY) {
                    json.beginArray();
                    while (json.hasNext()) {
                        element.accept(read(json, 0));
                    }
                    json.endArray();
                } else {
                    rest.put(name, read(json, 0));
                }
            }
            json.endObject();
            requireEnd(json);
            return rest.build();
        } catch (MalformedJsonException e) {
            throw malformed(e);
        }
    }

    /** gson's message tells how to use gson, and only then the place. */
    private static JsonException malformed(Exception e) {
        var place = PLACE.matcher(String.valueOf(e.getMessage()));
        return new JsonException(place.find() ? "not JSON " + place.group() : "not JSON", e);
    }

    private static JsonReader strict(Reader reader) {
        var json = new JsonReader(reader);
        json.setStrictness(Strictness.STRICT);
        return json;
    }

    private static void requireEnd(JsonReader json) throws IOException {
        if (json.peek() != JsonToken.END_DOCUMENT) {
            throw new JsonException("text after the end of the document");
        }
    }

    private static Tree read(JsonReader reader, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new JsonException("nested deeper than " + MAX_DEPTH);
        }
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader, depth);
            case BEGIN_ARRAY -> readList(reader, depth);
            case STRING -> Shared.value(reader.nextString());
            case NUMBER -> number(reader.nextString());
            case BOOLEAN -> Tree.of(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield Tree.NULL;
            }
            default -> throw new JsonException("unexpected " + reader.peek());
        };
    }

    /** An exponent may be too large for any number. */
    private static Tree number(String text) {
        try {
            return NumberTree.parse(text);
        } catch (NumberFormatException e) {
            throw new JsonException("a number out of range", e);
        }
    }

    private static ObjectTree readObject(JsonReader reader, int depth) throws IOException {
        var object = ObjectTree.builder();
        reader.beginObject();
        while (reader.hasNext()) {
            object.put(Shared.name(reader.nextName()), read(reader, depth + 1));
        }
        reader.endObject();
        return object.build();
    }

    private static ListTree readList(JsonReader reader, int depth) throws IOException {
        var list = ListTree.builder();
        reader.beginArray();
        while (reader.hasNext()) {
            list.add(read(reader, depth + 1));
        }
        reader.endArray();
        return list.build();
    }

    /** Returns compact text; nulls are written. */
    public static String write(Tree tree) {
        return write(tree, true);
    }

    /** Returns compact text without members whose value is null, as server-side apply wants it. */
    public static String writeWithoutNulls(Tree tree) {
        return write(tree, false);
    }

    private static String write(Tree tree, boolean nulls) {
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

    private static void write(JsonWriter writer, Tree tree) throws IOException {
        switch (tree) {
            case ObjectTree object -> {
                writer.beginObject();
                for (var member : object.members().entrySet()) {
                    writer.name(member.getKey());
                    write(writer, member.getValue());
                }
                writer.endObject();
            }
            case ListTree list -> {
                writer.beginArray();
                for (var element : list) {
                    write(writer, element);
                }
                writer.endArray();
            }
            case TextTree text -> writer.value(text.value());
            case FlagTree flag -> writer.value(flag.value());
            case NumberTree number -> writer.value(number.value());
            case NullTree _ -> writer.nullValue();
        }
    }
}
