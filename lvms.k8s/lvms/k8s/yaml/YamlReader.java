package lvms.k8s.yaml;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;

/** Reads block structure; {@link Inline} reads what is within a line. */
final class YamlReader {
    private static final int MAX_DEPTH = 100;

    /** One document and the number of its first line. */
    record Document(Tree tree, int line) {}

    private final Lines lines;

    YamlReader(String text) {
        this.lines = new Lines(text);
    }

    List<Document> documents() {
        var documents = new ArrayList<Document>();
        int start = 0;
        boolean explicit = false;
        for (int i = 0; i <= lines.size(); i++) {
            boolean marker = i < lines.size() && isMarker(lines.at(i));
            if (i < lines.size() && !marker) {
                continue;
            }
            var tree = document(start, i);
            if (explicit && i < lines.size() || !tree.isNull()) {
                documents.add(new Document(tree, start + 1));
            }
            start = i + 1;
            explicit = marker && lines.at(i).startsWith("---");
            if (marker && !Lines.isBlank(lines.at(i).substring(3))) {
                lines.window(i, i + 1);
                throw lines.error("text after a document marker");
            }
        }
        return documents;
    }

    private static boolean isMarker(String line) {
        boolean marker = line.startsWith("---") || line.startsWith("...");
        return marker && (line.length() == 3 || line.charAt(3) == ' ' || line.charAt(3) == '\t');
    }

    private Tree document(int from, int to) {
        lines.window(from, to);
        if (!lines.skipBlank()) {
            return Tree.NULL;
        }
        if (lines.text().startsWith("%")) {
            throw lines.error("directives are not supported");
        }
        var tree = block(-1, 0);
        if (lines.skipBlank()) {
            throw lines.error("unexpected indentation or text");
        }
        return tree;
    }

    /** Reads the block that the current line begins; it is indented by more than {@code parent}. */
    private Tree block(int parent, int depth) {
        if (depth > MAX_DEPTH) {
            throw lines.error("nested deeper than " + MAX_DEPTH);
        }
        int indent = lines.indent();
        var text = lines.text();
        if (isItem(text, indent)) {
            return sequence(indent, depth);
        }
        if (Inline.keyEnd(text, indent, lines) >= 0) {
            return mapping(indent, depth);
        }
        return value(indent, parent, depth);
    }

    private static boolean isItem(String text, int indent) {
        return text.charAt(indent) == '-'
                && (text.length() == indent + 1 || text.charAt(indent + 1) == ' ');
    }

    private ListTree sequence(int indent, int depth) {
        var array = ListTree.builder();
        while (lines.skipBlank() && lines.indent() == indent && isItem(lines.text(), indent)) {
            var rest = lines.text().substring(indent + 1);
            if (Lines.isBlank(rest)) {
                array.add(nested(indent, indent, depth));
            } else {
                lines.replace(" ".repeat(indent + 1) + rest);
                array.add(block(indent, depth + 1));
            }
        }
        checkDedent(indent);
        return array.build();
    }

    private ObjectTree mapping(int indent, int depth) {
        var object = ObjectTree.builder();
        while (lines.skipBlank() && lines.indent() == indent && !isItem(lines.text(), indent)) {
            int end = Inline.keyEnd(lines.text(), indent, lines);
            if (end < 0) {
                throw lines.error("expected a key");
            }
            var key = Inline.key(lines.text(), indent, end, lines);
            if (object.has(key)) {
                throw lines.error("duplicate key \"" + key + "\"");
            }
            int colon = lines.text().indexOf(':', end);
            if (Lines.isBlank(lines.text().substring(colon + 1))) {
                object.put(key, nested(indent, indent - 1, depth));
            } else {
                int start = colon + 1;
                while (lines.text().charAt(start) == ' ') {
                    start++;
                }
                object.put(key, value(start, indent, depth));
            }
        }
        checkDedent(indent);
        return object.build();
    }

    private void checkDedent(int indent) {
        if (lines.skipBlank() && lines.indent() > indent) {
            throw lines.error("unexpected indentation");
        }
    }

    /**
     * Reads the value below a key or dash that has nothing after it on its line.
     *
     * @param indent indentation of the key or dash
     * @param listsAbove a list belongs to it if it is indented by more than this
     */
    private Tree nested(int indent, int listsAbove, int depth) {
        lines.next();
        if (!lines.skipBlank()) {
            return Tree.NULL;
        }
        int below = lines.indent();
        if (below > indent || below > listsAbove && isItem(lines.text(), below)) {
            return block(Math.min(indent, below - 1), depth + 1);
        }
        return Tree.NULL;
    }

    /** Reads the value that begins at column {@code start} of the current line. */
    private Tree value(int start, int parent, int depth) {
        char first = lines.text().charAt(start);
        if (first == '|' || first == '>') {
            return Tree.of(BlockScalar.read(lines, start, parent));
        }
        return new Inline(lines, start, parent).blockValue(depth);
    }
}
