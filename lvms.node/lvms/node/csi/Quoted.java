package lvms.node.csi;

/**
 * Quotes a caller's text in a message: without control characters, and never longer than a line.
 */
final class Quoted {
    private static final int LIMIT = 200;

    private Quoted() {}

    static String of(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints()
                .limit(LIMIT)
                .forEach(c -> quoted.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return quoted.append(text.length() > LIMIT ? "…\"" : "\"").toString();
    }
}
