package lvms.k8s.tree;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads JSON (RFC 8259) straight from bytes into trees that share what they can.
 *
 * <p>A stream is read into one buffer, which grows only to the largest text or number. What is
 * wrong is told with the place, and never with the content: it may be a Secret. One thread.
 */
final class TreeReader {
    private static final int MAX_DEPTH = 200; // of recursion on a small stack
    private static final int BUFFER = 1 << 15;
    private static final int MAX_EASY_DIGITS = 18; // so many always fit a long

    private final InputStream stream; // null if all is in the buffer
    private final Omission omission;
    private byte[] bytes;
    private int at;
    private int end;
    private long dropped; // how many bytes were read before those in the buffer

    // Names and values of the objects and lists that have begun, those within at the end.
    private String[] names = new String[16];
    private int nameCount;
    private Tree[] values = new Tree[32];
    private int valueCount;

    // Of the value that was read last.
    private int hash;
    private int weight;

    // Of the text that was read last, within the buffer.
    private int textFrom;
    private int textTo;
    private boolean textIsPlain;
    private final Shared.Decoder decoder = this::decode;

    private TreeReader(InputStream stream, Omission omission, byte[] bytes, int from, int to) {
        this.stream = stream;
        this.omission = omission;
        this.bytes = bytes;
        this.at = from;
        this.end = to;
        this.dropped = -from;
    }

    static TreeReader of(byte[] bytes, int from, int to, Omission omission) {
        return new TreeReader(null, omission, bytes, from, to);
    }

    static TreeReader of(InputStream stream, Omission omission) {
        return new TreeReader(stream, omission, new byte[BUFFER], 0, 0);
    }

    /** Reads one document. */
    Tree document() throws IOException {
        skipMark();
        var value = value(0);
        requireEnd();
        return value;
    }

    /** Reads an object, and passes on the elements of one of its lists one by one. */
    ObjectTree document(String member, Consumer<Tree> element) throws IOException {
        skipMark();
        if (next() != '{') {
            throw new JsonException("the document is not an object");
        }
        at++;
        var rest = ObjectTree.builder();
        if (next() == '}') {
            at++;
        } else {
            do {
                var name = memberName();
                if (name.equals(member) && next() == '[') {
                    elements(element);
                } else {
                    rest.put(name, value(1));
                }
            } while (goesOn('}'));
        }
        requireEnd();
        return rest.build();
    }

    private void elements(Consumer<Tree> element) throws IOException {
        at++;
        if (next() == ']') {
            at++;
            return;
        }
        do {
            element.accept(value(1));
        } while (goesOn(']'));
    }

    /** RFC 8259 lets a reader skip a byte order mark, and some files begin with one. */
    private void skipMark() throws IOException {
        while (end - at < 3 && fill(at)) {
            // until there are three bytes
        }
        if (end - at >= 3
                && bytes[at] == (byte) 0xEF
                && bytes[at + 1] == (byte) 0xBB
                && bytes[at + 2] == (byte) 0xBF) {
            at += 3;
        }
    }

    private void requireEnd() throws IOException {
        while (at < end || fill(at)) {
            if (!isSpace(bytes[at])) {
                throw new JsonException("text after the end of the document");
            }
            at++;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Returns the next byte that is not white space, and stays before it. */
    private byte next() throws IOException {
        while (true) {
            if (at == end && !fill(at)) {
                throw tooShort();
            }
            byte b = bytes[at];
            if (!isSpace(b)) {
                return b;
            }
            at++;
        }
    }

    /** Takes a comma and returns true, or the end and returns false. */
    private boolean goesOn(char close) throws IOException {
        byte b = next();
        if (b == ',') {
            at++;
            return true;
        }
        if (b == close) {
            at++;
            return false;
        }
        throw malformed("expected , or " + close);
    }

    private Tree value(int depth) throws IOException {
        checkDepth(depth);
        return switch (next()) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> text();
            case 't' -> literal("true", FlagTree.TRUE);
            case 'f' -> literal("false", FlagTree.FALSE);
            case 'n' -> literal("null", Tree.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw malformed("expected a value");
        };
    }

    private static void checkDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw new JsonException("nested deeper than " + MAX_DEPTH);
        }
    }

    /** Passes over a value, which has to be JSON all the same. */
    private void skip(int depth) throws IOException {
        checkDepth(depth);
        switch (next()) {
            case '{' -> skip(depth, '}');
            case '[' -> skip(depth, ']');
            case '"' -> skipText();
            default -> value(depth);
        }
    }

    private void skip(int depth, char close) throws IOException {
        at++;
        if (next() == close) {
            at++;
            return;
        }
        do {
            if (close == '}') {
                quote();
                skipText();
                colon();
            }
            skip(depth + 1);
        } while (goesOn(close));
    }

    private void skipText() throws IOException {
        scanText();
        if (!textIsPlain) {
            decode(textFrom, textTo); // which checks it
        }
    }

    private Tree object(int depth) throws IOException {
        boolean shortened = omission.isWithin(depth, names, nameCount);
        int firstName = nameCount;
        int firstValue = valueCount;
        int ownHash = 1;
        int ownWeight = 1;
        at++;
        if (next() == '}') {
            at++;
        } else {
            do {
                var name = memberName();
                if (shortened && name.equals(omission.member())) {
                    skip(depth + 1);
                    continue;
                }
                push(name);
                push(value(depth + 1));
                ownHash = 31 * ownHash + hash;
                ownWeight += weight;
            } while (goesOn('}'));
        }
        var object = object(firstName, firstValue, ownHash, ownWeight);
        nameCount = firstName;
        valueCount = firstValue;
        return object;
    }

    private ObjectTree object(int firstName, int firstValue, int valuesHash, int ownWeight) {
        var shape = Shape.of(names, firstName, nameCount);
        weight = ownWeight;
        if (shape.isEmpty()) {
            weight = Shared.MAX_WEIGHT + 1;
            return lastOfEach(firstName, firstValue);
        }
        hash = 31 * valuesHash + shape.get().hash();
        if (valueCount == firstValue) {
            return ObjectTree.EMPTY;
        }
        return weight <= Shared.MAX_WEIGHT
                ? Shared.object(shape.get(), values, firstValue, valueCount, hash)
                : new ObjectTree(shape.get(), Arrays.copyOfRange(values, firstValue, valueCount));
    }

    /** If a name occurs twice, the last value wins. */
    private ObjectTree lastOfEach(int firstName, int firstValue) {
        var object = ObjectTree.builder();
        for (int i = 0; firstValue + i < valueCount; i++) {
            object.put(names[firstName + i], values[firstValue + i]);
        }
        return object.build();
    }

    private Tree list(int depth) throws IOException {
        int first = valueCount;
        int ownHash = 7;
        int ownWeight = 1;
        at++;
        if (next() == ']') {
            at++;
        } else {
            do {
                push(value(depth + 1));
                ownHash = 31 * ownHash + hash;
                ownWeight += weight;
            } while (goesOn(']'));
        }
        hash = ownHash;
        weight = ownWeight;
        List<Tree> elements = Arrays.asList(values).subList(first, valueCount);
        valueCount = first;
        return ownWeight > 1 && ownWeight <= Shared.MAX_WEIGHT
                ? Shared.list(elements, ownHash)
                : ListTree.of(elements);
    }

    private void push(String name) {
        if (nameCount == names.length) {
            names = Arrays.copyOf(names, nameCount * 2);
        }
        names[nameCount++] = name;
    }

    private void push(Tree value) {
        if (valueCount == values.length) {
            values = Arrays.copyOf(values, valueCount * 2);
        }
        values[valueCount++] = value;
    }

    private Tree literal(String word, Tree value) throws IOException {
        while (end - at < word.length() && fill(at)) {
            // until the word is there
        }
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= end || bytes[at + i] != word.charAt(i)) {
                throw malformed("expected a value");
            }
        }
        at += word.length();
        hash = word.charAt(0);
        weight = 1;
        return value;
    }

    private String memberName() throws IOException {
        quote();
        scanText();
        var name = Shared.name(bytes, textFrom, textTo, hash, decoder);
        colon();
        return name;
    }

    private void quote() throws IOException {
        if (next() != '"') {
            throw malformed("expected the name of a member");
        }
    }

    private void colon() throws IOException {
        if (next() != ':') {
            throw malformed("expected :");
        }
        at++;
    }

    private Tree text() throws IOException {
        scanText();
        weight = textTo - textFrom <= Shared.MAX_BYTES ? 1 : Shared.MAX_WEIGHT + 1;
        return Shared.text(bytes, textFrom, textTo, hash, decoder);
    }

    /** Finds the end of a text, and hashes it; at its first quote. */
    private void scanText() throws IOException {
        textFrom = at + 1;
        textTo = textFrom;
        textIsPlain = true;
        int sum = plainPart();
        for (byte b = textByte(); b != '"'; b = textByte()) {
            sum = 31 * sum + b;
            if (b == '\\') {
                textIsPlain = false;
                sum = 31 * sum + textByte(); // decoding checks it
            } else if (b < 0) {
                textIsPlain = false; // a part of a character beyond ASCII
            } else if (b < ' ') {
                at = textTo - 1;
                throw malformed("a control character in a text");
            }
        }
        hash = sum;
        at = textTo;
        textTo--;
    }

    /** Goes over what needs no second look, in most texts all, and returns its hash. */
    private int plainPart() {
        var text = bytes; // fields are read again each time
        int last = end;
        int to = textTo;
        int sum = 0;
        while (to < last) {
            byte b = text[to];
            if (b == '"' || b == '\\' || b < ' ') {
                break;
            }
            sum = 31 * sum + b;
            to++;
        }
        textTo = to;
        return sum;
    }

    private byte textByte() throws IOException {
        if (textTo == end) {
            int scanned = textTo - textFrom;
            if (!fill(textFrom)) {
                throw tooShort();
            }
            textFrom = at;
            textTo = at + scanned;
        }
        return bytes[textTo++];
    }

    private String decode(int from, int to) {
        return textIsPlain
                ? new String(bytes, from, to - from, StandardCharsets.ISO_8859_1)
                : Escapes.decode(bytes, from, to);
    }

    private NumberTree number() throws IOException {
        int length = numberLength();
        int from = at;
        at += length;
        weight = 1;
        long value = 0;
        int first = bytes[from] == '-' ? from + 1 : from;
        boolean integer = length <= MAX_EASY_DIGITS;
        for (int i = first; integer && i < at; i++) {
            integer = bytes[i] >= '0' && bytes[i] <= '9';
            value = value * 10 + (bytes[i] - '0');
        }
        checkNumber(first);
        if (integer) {
            long signed = first == from ? value : -value;
            hash = Long.hashCode(signed);
            return Shared.integer(signed, hash);
        }
        try {
            hash = length;
            weight = Shared.MAX_WEIGHT + 1;
            return NumberTree.parse(new String(bytes, from, length, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) { // an exponent may be too large for any number
            throw new JsonException("a number out of range", e);
        }
    }

    private int numberLength() throws IOException {
        int length = 1;
        while ((at + length < end || fill(at)) && isOfNumber(bytes[at + length])) {
            length++;
        }
        return length;
    }

    private static boolean isOfNumber(byte b) {
        return b >= '0' && b <= '9' || b == '.' || b == 'e' || b == 'E' || b == '-' || b == '+';
    }

    /** Checks digits, fraction and exponent; the number ends where we are. */
    private void checkNumber(int from) {
        int i = digits(from);
        boolean leadingZero = i - from > 1 && bytes[from] == '0';
        if (i < at && bytes[i] == '.') {
            i = digits(i + 1);
        }
        if (i < at && (bytes[i] == 'e' || bytes[i] == 'E')) {
            boolean signed = i + 1 < at && (bytes[i + 1] == '-' || bytes[i + 1] == '+');
            i = digits(signed ? i + 2 : i + 1);
        }
        if (leadingZero || i < at) {
            throw malformed("not a number");
        }
    }

    private int digits(int from) {
        int i = from;
        while (i < at && bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        if (i == from) {
            throw malformed("not a number");
        }
        return i;
    }

    /**
     * Reads more of the stream behind what is in the buffer, of which it keeps what begins there;
     * that is where {@code at} is then. Returns false at the end of the stream.
     */
    private boolean fill(int from) throws IOException {
        if (stream == null) {
            return false;
        }
        int kept = end - from;
        var target = kept > bytes.length / 2 ? new byte[bytes.length * 2] : bytes;
        System.arraycopy(bytes, from, target, 0, kept);
        bytes = target;
        dropped += from;
        at = 0;
        end = kept;
        int count = stream.read(bytes, end, bytes.length - end);
        end += Math.max(0, count);
        return count > 0;
    }

    private static JsonException tooShort() {
        return new JsonException("the text ends within a value");
    }

    private JsonException malformed(String what) {
        return new JsonException("not JSON at byte " + (dropped + at) + ": " + what);
    }
}
