package lvms.k8s.yaml;

import java.util.ArrayList;
import java.util.List;

/** The lines of a text and the place a reader has reached. */
final class Lines {
    private final List<String> lines = new ArrayList<>();
    private int current;
    private int end;

    Lines(String text) {
        int start = text.startsWith("\uFEFF") ? 1 : 0;
        while (start <= text.length()) {
            int newline = text.indexOf('\n', start);
            int stop = newline < 0 ? text.length() : newline;
            int cut = stop > start && text.charAt(stop - 1) == '\r' ? stop - 1 : stop;
            lines.add(text.substring(start, cut));
            start = stop + 1;
        }
        end = lines.size();
    }

    /** Restricts reading to {@code [from, to)}. */
    void window(int from, int to) {
        current = from;
        end = to;
    }

    int size() {
        return lines.size();
    }

    String at(int index) {
        return lines.get(index);
    }

    boolean done() {
        return current >= end;
    }

    String text() {
        return lines.get(current);
    }

    /** Replaces the current line, so that a list element can be read as its own block. */
    void replace(String text) {
        lines.set(current, text);
    }

    void next() {
        current++;
    }

    /** Returns the index of the current line, from 0. */
    int index() {
        return current;
    }

    /** Moves to the next line that is neither blank nor a comment; false if there is none. */
    boolean skipBlank() {
        while (current < end && isBlank(text())) {
            current++;
        }
        return current < end;
    }

    static boolean isBlank(String line) {
        int at = indent(line);
        return at == line.length() || line.charAt(at) == '#' || line.isBlank();
    }

    static int indent(String line) {
        int at = 0;
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    /** Returns the indentation of the current line. */
    int indent() {
        int at = indent(text());
        if (at < text().length() && text().charAt(at) == '\t') {
            throw error("a tab in the indentation");
        }
        return at;
    }

    YamlException error(String message) {
        return new YamlException(Math.min(current, lines.size() - 1) + 1, message);
    }
}
