package lvms.k8s.tree;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonWriter;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Strict reading (RFC 8259) and plain writing of JSON text.
 *
 * <p>Integers never pass through {@code double}. If an object names a member twice, the last value
 * wins. What is nested deeper than 200 is refused. The reader is our own, from bytes into trees
 * that share what they can; gson writes the tokens.
 */
public final class Json {
    private Json() {}

    /**
     * Parses one document.
     *
     * @throws JsonException if the text is not exactly one strict JSON value
     */
    public static Tree parse(String text) {
        try {
            return parse(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
        } catch (CharacterCodingException e) {
            throw new JsonException("half of a surrogate pair in the text", e);
        }
    }

    /**
     * Parses one document.
     *
     * @param utf8 a buffer with an array, which is read from its position to its limit
     * @throws JsonException if the text is not exactly one strict JSON value
     */
    public static Tree parse(ByteBuffer utf8) {
        return parse(utf8, Omission.NOTHING);
    }

    /**
     * Parses one document but for what is left out.
     *
     * @param utf8 a buffer with an array, which is read from its position to its limit
     * @throws JsonException if the text is not exactly one strict JSON value
     */
    public static Tree parse(ByteBuffer utf8, Omission omission) {
        int from = utf8.arrayOffset() + utf8.position();
        try {
            return TreeReader.of(utf8.array(), from, from + utf8.remaining(), omission).document();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an array has no I/O
        }
    }

    /**
     * Parses an object and passes on the elements of one of its lists one by one, so that no tree
     * of the whole exists.
     *
     * @param utf8 is read to its end
     * @param member the name of the list
     * @param omission what is left out; the elements of the list are at level 1
     * @return the object without the list
     * @throws JsonException if the text is not one strict JSON object
     * @throws IOException if the stream fails
     */
    public static ObjectTree parse(
            InputStream utf8, String member, Omission omission, Consumer<Tree> element)
            throws IOException {
        return TreeReader.of(utf8, omission).document(member, element);
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
