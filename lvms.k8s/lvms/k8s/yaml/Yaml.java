package lvms.k8s.yaml;

import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes YAML as JSON trees.
 *
 * <p>The subset: block and flow mappings and sequences, plain, quoted and block scalars, comments,
 * several documents. Anchors, aliases, tags, complex keys and merge keys are refused, and so are
 * tabs in the indentation, duplicate keys, and the unquoted words {@code yes}, {@code no}, {@code
 * on} and {@code off}, which YAML 1.1 and 1.2 read differently.
 */
public final class Yaml {
    private Yaml() {}

    /**
     * Reads one document; empty text is null.
     *
     * @throws YamlException naming the line, also if there is more than one document
     */
    public static Tree read(String text) {
        var documents = new YamlReader(text).documents();
        if (documents.size() > 1) {
            throw new YamlException(
                    documents.get(1).line(), "expected one document, found a second");
        }
        return documents.isEmpty() ? Tree.NULL : documents.getFirst().tree();
    }

    /**
     * Reads all documents except empty ones.
     *
     * @throws YamlException naming the line
     */
    public static List<Tree> readAll(String text) {
        var trees = new ArrayList<Tree>();
        for (var document : new YamlReader(text).documents()) {
            if (!document.tree().isNull()) {
                trees.add(document.tree());
            }
        }
        return List.copyOf(trees);
    }

    /** Writes block style text that {@link #read} reads back as the same tree. */
    public static String write(Tree tree) {
        return YamlWriter.write(tree);
    }
}
