package lvms.k8s.yaml;

import java.util.ArrayList;
import java.util.List;

/** Literal ({@code |}) and folded ({@code >}) text. */
final class BlockScalar {
    private BlockScalar() {}

    /** Reads the text whose header begins at column {@code start} of the current line. */
    static String read(Lines lines, int start, int parent) {
        boolean folded = lines.text().charAt(start) == '>';
        char chomping = ' ';
        int indent = -1;
        int at = start + 1;
        var header = lines.text();
        for (; at < header.length() && header.charAt(at) != ' '; at++) {
            char c = header.charAt(at);
            if (c == '-' || c == '+') {
                chomping = c;
            } else if (c >= '1' && c <= '9') {
                indent = Math.max(parent, 0) + c - '0';
            } else {
                throw lines.error("unknown block header");
            }
        }
        if (!Lines.isBlank(header.substring(at))) {
            throw lines.error("text after a block header");
        }
        lines.next();
        return chomp(join(content(lines, indent, parent), folded), chomping);
    }

    private static List<String> content(Lines lines, int wantedIndent, int parent) {
        int indent = wantedIndent;
        var content = new ArrayList<String>();
        while (!lines.done()) {
            var line = lines.text();
            int own = Lines.indent(line);
            boolean blank = own == line.length();
            if (!blank && indent < 0) {
                indent = own;
            }
            if (!blank && (own < indent || own <= parent)) {
                break;
            }
            content.add(blank && own <= indent || indent < 0 ? "" : line.substring(indent));
            lines.next();
        }
        return content;
    }

    private static String join(List<String> content, boolean folded) {
        var text = new StringBuilder();
        for (int i = 0; i < content.size(); i++) {
            var line = content.get(i);
            text.append(line);
            boolean last = i == content.size() - 1;
            if (!folded || last) {
                text.append('\n');
            } else {
                text.append(foldedBreak(line, content, i + 1));
            }
        }
        return text.toString();
    }

    /** A break within a paragraph becomes a space; empty and further indented lines keep theirs. */
    private static String foldedBreak(String line, List<String> content, int next) {
        if (keepsBreak(line)) {
            return "\n";
        }
        int text = next;
        while (text < content.size() && content.get(text).isEmpty()) {
            text++;
        }
        if (text >= content.size() || keepsBreak(content.get(text))) {
            return "\n";
        }
        return text == next ? " " : "";
    }

    private static boolean keepsBreak(String line) {
        return line.isEmpty() || line.charAt(0) == ' ' || line.charAt(0) == '\t';
    }

    private static String chomp(String text, char chomping) {
        if (chomping == '+') {
            return text;
        }
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\n') {
            end--;
        }
        var stripped = text.substring(0, end);
        return chomping == '-' || stripped.isEmpty() ? stripped : stripped + "\n";
    }
}
