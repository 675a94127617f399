package lvms.k8s.tree;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads the text between two quotes that has escapes, or more than ASCII. */
final class Escapes {
    private static final String LETTERS = "\"\\/bfnrt";
    private static final String MEANINGS = "\"\\/\b\f\n\r\t";

    private Escapes() {}

    /** Half of a surrogate pair that was escaped stays one; as UTF-8 it is refused. */
    static String decode(byte[] json, int from, int to) {
        var text = new StringBuilder(to - from);
        int begun = from;
        for (int i = from; i < to; i++) {
            if (json[i] == '\\') {
                append(text, json, begun, i);
                i++;
                text.append(json[i] == 'u' ? unit(json, i + 1, to) : meaning(json[i]));
                i += json[i] == 'u' ? 4 : 0;
                begun = i + 1;
            }
        }
        append(text, json, begun, to);
        return text.toString();
    }

    private static void append(StringBuilder text, byte[] json, int from, int to) {
        if (from == to) {
            return;
        }
        try {
            text.append(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(json, from, to - from)));
        } catch (CharacterCodingException e) {
            throw new JsonException("the text is not UTF-8", e);
        }
    }

    private static char meaning(byte letter) {
        int known = LETTERS.indexOf(letter);
        if (known < 0) {
            throw new JsonException("not JSON: an unknown escape in a text");
        }
        return MEANINGS.charAt(known);
    }

    private static char unit(byte[] json, int from, int to) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            if (i >= to || !HexFormat.isHexDigit(json[i])) {
                throw new JsonException("not JSON: an escape without four hexadecimal digits");
            }
            value = value << 4 | HexFormat.fromHexDigit(json[i]);
        }
        return (char) value;
    }
}
