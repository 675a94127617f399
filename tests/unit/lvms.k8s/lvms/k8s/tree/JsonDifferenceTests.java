package lvms.k8s.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;

/**
 * Our reader and gson's strict one agree, about what is JSON and about its value, over documents
 * that were made by chance, and over the same with a few bytes changed.
 */
class JsonDifferenceTests {
    private static final int DOCUMENTS = 1500;
    private static final int MUTATIONS = 6;
    private static final String BYTES =
            "{}[]\",:\\ \n\t0123456789-+.eEtfnu/a\u0000\u001f\u007f\u00c3\u00a4\u00ff";

    private static final String[] TEXTS = {
        "",
        "a",
        "name",
        "k:{\\\"name\\\":\\\"web\\\"}",
        "\\u00e4\\ud83d\\ude00",
        "\u00e4\u20ac\ud83d\ude00",
        "\\n\\t\\\\\\/",
        "x".repeat(63),
        "y".repeat(64),
        "z".repeat(65),
        "0123456789abcdef",
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "42",
        "-17",
        "1024",
        "999999999999999999",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "1.5",
        "-0.10",
        "1e3",
        "1E-7",
        "2.50e+10",
    };

    private final Random random = new Random(8259);
    private int accepted;
    private int refused;

    @Test
    void agreesWithGson() {
        for (int i = 0; i < DOCUMENTS; i++) {
            var text = new StringBuilder();
            write(text, 0);
            var bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            compare(bytes);
            for (int k = 0; k < MUTATIONS; k++) {
                compare(mutated(bytes));
            }
        }
        assertTrue(accepted > DOCUMENTS && refused > DOCUMENTS, accepted + " " + refused);
    }

    private void compare(byte[] bytes) {
        var hex = HexFormat.of().formatHex(bytes);
        var expected = byGson(bytes);
        var read = byUs(bytes);
        assertEquals(expected, read, hex);
        assertEquals(expected.map(Json::write), read.map(Json::write), hex); // order, digits
        if (read.isPresent()) {
            accepted++;
        } else {
            refused++;
        }
    }

    private static Optional<Tree> byUs(byte[] bytes) {
        try {
            return Optional.of(Json.parse(ByteBuffer.wrap(bytes)));
        } catch (JsonException _) {
            return Optional.empty();
        }
    }

    private static Optional<Tree> byGson(byte[] bytes) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            var reader = new JsonReader(new StringReader(text.toString()));
            reader.setStrictness(Strictness.STRICT);
            var tree = read(reader);
            return reader.peek() == JsonToken.END_DOCUMENT ? Optional.of(tree) : Optional.empty();
        } catch (IOException | NumberFormatException | IllegalStateException _) {
            return Optional.empty();
        }
    }

    private static Tree read(JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> {
                var object = ObjectTree.builder();
                reader.beginObject();
                while (reader.hasNext()) {
                    object.put(reader.nextName(), read(reader));
                }
                reader.endObject();
                yield object.build();
            }
            case BEGIN_ARRAY -> {
                var list = ListTree.builder();
                reader.beginArray();
                while (reader.hasNext()) {
                    list.add(read(reader));
                }
                reader.endArray();
                yield list.build();
            }
            case STRING -> Tree.of(reader.nextString());
            case NUMBER -> NumberTree.parse(reader.nextString());
            case BOOLEAN -> Tree.of(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield Tree.NULL;
            }
            default -> throw new IllegalStateException("no value");
        };
    }

    private void write(StringBuilder text, int depth) {
        switch (random.nextInt(depth > 4 ? 4 : 8)) {
            case 0 -> text.append(one(NUMBERS));
            case 1 -> text.append(one("true", "false", "null"));
            case 2, 3 -> text.append('"').append(one(TEXTS)).append('"');
            case 4, 5 -> {
                text.append(one("[", "[ "));
                for (int i = random.nextInt(4); i > 0; i--) {
                    write(text, depth + 1);
                    text.append(i > 1 ? "," : "");
                }
                text.append(']');
            }
            default -> {
                text.append('{');
                for (int i = random.nextInt(6); i > 0; i--) {
                    text.append('"').append(one(TEXTS)).append('"').append(one(":", " : "));
                    write(text, depth + 1);
                    text.append(i > 1 ? one(",", ",\n\t") : "");
                }
                text.append('}');
            }
        }
    }

    private String one(String... choice) {
        return choice[random.nextInt(choice.length)];
    }

    /** Changes, removes or adds a byte, once to three times. */
    private byte[] mutated(byte[] document) {
        var bytes = document;
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            int at = random.nextInt(bytes.length + 1);
            byte b = (byte) BYTES.charAt(random.nextInt(BYTES.length()));
            int removed = at == bytes.length ? 0 : random.nextInt(2);
            boolean added = removed == 0 || random.nextBoolean();
            var next = Arrays.copyOf(bytes, bytes.length - removed + (added ? 1 : 0));
            int rest = at + (added ? 1 : 0);
            System.arraycopy(bytes, at + removed, next, rest, next.length - rest);
            if (added) {
                next[at] = b;
            }
            bytes = next;
        }
        return bytes;
    }
}
