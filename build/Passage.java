import java.util.ArrayList;
import java.util.List;

/** A text of a file that is read in one piece, and the lines on which its parts are. */
final class Passage {
    private final StringBuilder text = new StringBuilder();
    private final List<Part> parts = new ArrayList<>();

    private record Part(int offset, int line) {}

    /** A part that nothing of the text before it runs into; it ends the sentence. */
    static final String GAP = "\0";

    void add(int line, String part) {
        parts.add(new Part(text.length(), line));
        text.append(part);
    }

    String text() {
        return text.toString();
    }

    int lineAt(int offset) {
        int line = 0;
        for (var part : parts) {
            if (part.offset() > offset) {
                break;
            }
            line = part.line();
        }
        return line;
    }
}
