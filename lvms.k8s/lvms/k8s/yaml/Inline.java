package lvms.k8s.yaml;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

/** Reads quoted and plain scalars and flow collections, which may span several lines. */
final class Inline {
    private static final int MAX_DEPTH = 100;

    private final Lines lines;
    private final int parent;
    private String text;
    private int at;

    Inline(Lines lines, int start, int parent) {
        this.lines = lines;
        this.parent = parent;
        this.text = lines.text();
        this.at = start;
    }

    /** Returns where the key that begins at {@code start} ends; -1 if there is no key. */
    static int keyEnd(String line, int start, Lines lines) {
        char first = line.charAt(start);
        if (first == '"' || first == '\'') {
            int close = quoteEnd(line, start);
            int colon = close < 0 ? -1 : skipSpaces(line, close + 1);
            return colon >= 0 && colon < line.length() && isColon(line, colon) ? close + 1 : -1;
        }
        if (first == '?' && (line.length() == start + 1 || line.charAt(start + 1) == ' ')) {
            throw lines.error("complex keys are not supported");
        }
        if (first == '[' || first == '{') {
            return -1;
        }
        for (int i = start; i < line.length(); i++) {
            if (isColon(line, i)) {
                return i;
            }
            if (line.charAt(i) == '#' && i > start && line.charAt(i - 1) == ' ') {
                return -1;
            }
        }
        return -1;
    }

    static String key(String line, int start, int end, Lines lines) {
        char first = line.charAt(start);
        if (first == '"' || first == '\'') {
            return new Inline(lines, start, -1).quoted();
        }
        refuseIndicator(first, lines);
        var key = line.substring(start, end).stripTrailing();
        if (key.equals("<<")) {
            throw lines.error("merge keys are not supported");
        }
        return key;
    }

    private static boolean isColon(String line, int i) {
        return line.charAt(i) == ':'
                && (i + 1 == line.length()
                        || line.charAt(i + 1) == ' '
                        || line.charAt(i + 1) == '\t');
    }

    private static int skipSpaces(String line, int from) {
        int i = from;
        while (i < line.length() && line.charAt(i) == ' ') {
            i++;
        }
        return i;
    }

    private static int quoteEnd(String line, int start) {
        char quote = line.charAt(start);
        for (int i = start + 1; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && quote == '"') {
                i++;
            } else if (c == quote) {
                if (quote == '"' || i + 1 == line.length() || line.charAt(i + 1) != quote) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private static void refuseIndicator(char c, Lines lines) {
        switch (c) {
            case '&', '*' -> throw lines.error("anchors and aliases are not supported");
            case '!' -> throw lines.error("tags are not supported");
            case '%', '@', '`', ',', ']', '}' -> throw lines.error("unexpected '" + c + "'");
            default -> {}
        }
    }

    /** Reads a value in block context, up to the end of its last line. */
    Tree blockValue(int depth) {
        char first = text.charAt(at);
        if (first != '"' && first != '\'' && first != '[' && first != '{') {
            refuseIndicator(first, lines);
            return plainBlock();
        }
        var value = flow(depth);
        if (!Lines.isBlank(text.substring(at))) {
            throw lines.error("text after a value");
        }
        lines.next();
        return value;
    }

    private Tree plainBlock() {
        var scalar = new StringBuilder(plainPart(text, at));
        boolean comment = at + scalar.length() < text.stripTrailing().length();
        lines.next();
        int breaks = 0;
        boolean oneLine = true;
        while (!comment && !lines.done()) {
            var line = lines.text();
            if (line.isBlank()) {
                breaks++;
                lines.next();
                continue;
            }
            int indent = lines.indent();
            if (indent <= parent || line.charAt(indent) == '#') {
                break;
            }
            if (keyEnd(line, indent, lines) >= 0) {
                throw lines.error(
                        "found a mapping inside multi-line text; quote the text or mend the"
                                + " indentation");
            }
            scalar.append(breaks == 0 ? " " : "\n".repeat(breaks)).append(plainPart(line, indent));
            oneLine = false;
            breaks = 0;
            lines.next();
        }
        return oneLine ? typed(scalar.toString()) : Tree.of(scalar.toString());
    }

    private String plainPart(String line, int start) {
        int end = start;
        while (end < line.length()) {
            if (line.charAt(end) == '#' && end > start && line.charAt(end - 1) == ' ') {
                break;
            }
            if (isColon(line, end)) {
                throw lines.error("': ' within plain text; quote it");
            }
            end++;
        }
        return line.substring(start, end).stripTrailing();
    }

    private Tree typed(String plain) {
        return Scalars.typed(plain, lines);
    }

    private Tree flow(int depth) {
        if (depth > MAX_DEPTH) {
            throw lines.error("nested deeper than " + MAX_DEPTH);
        }
        return switch (text.charAt(at)) {
            case '"', '\'' -> Tree.of(quoted());
            case '[' -> flowSequence(depth);
            case '{' -> flowMapping(depth);
            default -> typed(flowPlain());
        };
    }

    private ListTree flowSequence(int depth) {
        var array = ListTree.builder();
        at++;
        while (peek() != ']') {
            array.add(flow(depth + 1));
            separator(']');
        }
        at++;
        return array.build();
    }

    private ObjectTree flowMapping(int depth) {
        var object = ObjectTree.builder();
        at++;
        while (peek() != '}') {
            char first = peek();
            var key = first == '"' || first == '\'' ? quoted() : flowPlain();
            if (object.has(key)) {
                throw lines.error("duplicate key \"" + key + "\"");
            }
            Tree value = Tree.NULL;
            if (peek() == ':') {
                at++;
                char next = peek();
                value = next == ',' || next == '}' ? Tree.NULL : flow(depth + 1);
            }
            object.put(key, value);
            separator('}');
        }
        at++;
        return object.build();
    }

    private void separator(char close) {
        char c = peek();
        if (c == ',') {
            at++;
        } else if (c != close) {
            throw lines.error("',' or '" + close + "' expected");
        }
    }

    /** Returns the next character that is not a space, from a later line if need be. */
    private char peek() {
        while (true) {
            at = skipSpaces(text, at);
            if (at < text.length() && text.charAt(at) != '#') {
                return text.charAt(at);
            }
            lines.next();
            if (!lines.skipBlank()) {
                throw lines.error("unterminated flow collection");
            }
            text = lines.text();
            at = lines.indent();
        }
    }

    private String flowPlain() {
        int start = at;
        refuseIndicator(text.charAt(at), lines);
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean comment = c == '#' && at > start && text.charAt(at - 1) == ' ';
            if (",[]{}".indexOf(c) >= 0 || comment || c == ':' && endsKey(at + 1)) {
                break;
            }
            at++;
        }
        var plain = text.substring(start, at).stripTrailing();
        if (plain.isEmpty()) {
            throw lines.error("expected a value");
        }
        return plain;
    }

    private boolean endsKey(int next) {
        return next == text.length() || " ,[]{}".indexOf(text.charAt(next)) >= 0;
    }

    private String quoted() {
        char quote = text.charAt(at++);
        var value = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                foldLine(value);
                continue;
            }
            char c = text.charAt(at++);
            if (c == quote) {
                if (quote == '"' || at == text.length() || text.charAt(at) != quote) {
                    return value.toString();
                }
                value.append(quote);
                at++;
            } else if (c == '\\' && quote == '"') {
                escape(value);
            } else {
                value.append(c);
            }
        }
    }

    private void escape(StringBuilder value) {
        if (at == text.length()) { // a break that joins without a space
            nextQuotedLine();
            return;
        }
        at = Scalars.escape(text, at, value, lines);
    }

    /** A break within quotes becomes a space; empty lines become breaks. */
    private void foldLine(StringBuilder value) {
        while (!value.isEmpty() && value.charAt(value.length() - 1) == ' ') {
            value.setLength(value.length() - 1);
        }
        int breaks = nextQuotedLine();
        value.append(breaks == 0 ? " " : "\n".repeat(breaks));
    }

    private int nextQuotedLine() {
        int breaks = 0;
        lines.next();
        while (!lines.done() && lines.text().isBlank()) {
            breaks++;
            lines.next();
        }
        if (lines.done()) {
            throw lines.error("unterminated quoted text");
        }
        text = lines.text();
        at = lines.indent();
        return breaks;
    }
}
