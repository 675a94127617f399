import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.ToolProvider;

/**
 * Finds what the formatter cannot: lines that are too long, and javadoc that says nothing. It gets
 * the files on standard input, one in each line, prints {@code file:line: what} for each finding,
 * and ends with 1 if there is one.
 */
final class Lint {
    private static final int COLUMNS = 120;

    /** Files whose lines somebody else makes, or that are not read in lines, and why. */
    private static final List<Exception> LONG_LINES_ALLOWED =
            List.of(
                    new Exception("docs/reference[.]md", "made by ./build.sh docs"),
                    new Exception(
                            "deploy/(base/crds|legacy|nativestor/crds)/.*",
                            "a description is one YAML line"),
                    new Exception(".*/resources/.*", "recorded, as a program printed it"),
                    new Exception("proto/csi/.*", "the specification's own file"),
                    new Exception(".*/go[.](mod|sum)", "written by go"),
                    new Exception(".*[.](lock|tsv)", "tables of pinned files"));

    /** A table cannot be wrapped, and neither can an address. */
    private static final Pattern UNBREAKABLE = Pattern.compile("\\s*(\\|.*|\\S+)");

    private static final Set<String> TEXTS =
            Set.of("java", "sh", "md", "proto", "yaml", "pl", "awk", "properties", "args", "toml");

    /** Words that carry nothing in a sentence about a name. */
    private static final Set<String> EMPTY_WORDS =
            Set.of(
                    ("a all an and are as at be by for from form given gives get gets has have"
                         + " holds in is it its new object of on one or returns sets that the their"
                         + " this to value values what whether which whose with word words")
                            .split(" "));

    /** What a constructor does anyway. */
    private static final String CONSTRUCTION =
            "copies checks list lists map maps components arguments nothing null cause caused";

    private final List<String> findings = new ArrayList<>();

    private record Exception(String files, String reason) {}

    private Lint() {}

    public static void main(String[] args) throws IOException {
        var files =
                new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(Path::of)
                        .filter(Files::isRegularFile)
                        .toList();
        var lint = new Lint();
        for (var file : files) {
            lint.columns(file);
        }
        lint.javadoc(files.stream().filter(f -> f.toString().endsWith(".java")).toList());
        lint.findings.forEach(System.out::println);
        System.exit(lint.findings.isEmpty() ? 0 : 1);
    }

    private void columns(Path file) throws IOException {
        var name = file.getFileName().toString();
        boolean text =
                TEXTS.contains(name.substring(name.lastIndexOf('.') + 1)) || name.equals("run");
        if (!text
                || LONG_LINES_ALLOWED.stream().anyMatch(e -> file.toString().matches(e.files()))) {
            return;
        }
        int number = 0;
        for (var line : Files.readAllLines(file)) {
            number++;
            int length = line.codePointCount(0, line.length());
            if (length > COLUMNS && !UNBREAKABLE.matcher(line).matches()) {
                findings.add(
                        file + ":" + number + ": " + length + " columns, more than " + COLUMNS);
            }
        }
    }

    private void javadoc(List<Path> files) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    _ -> {},
                                    List.of("-proc:none"),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files));
            var trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Comments(unit, trees).scan(unit, null);
            }
        }
    }

    /** The doc comments of one file. */
    private final class Comments extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees trees;

        Comments(CompilationUnitTree unit, DocTrees trees) {
            this.unit = unit;
            this.trees = trees;
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            check(tree, tree.getSimpleName().toString());
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            var parameters =
                    tree.getParameters().stream()
                            .map(p -> p.getName() + " " + p.getType())
                            .collect(Collectors.joining(" "));
            var result = tree.getReturnType() == null ? CONSTRUCTION : tree.getReturnType();
            check(tree, tree.getName() + " " + result + " " + parameters);
            return super.visitMethod(tree, nothing);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void nothing) {
            check(tree, tree.getName() + " " + tree.getType());
            return super.visitVariable(tree, nothing);
        }

        private void check(Tree tree, String declaration) {
            var comment = trees.getDocCommentTree(getCurrentPath());
            if (comment != null && isPlain(comment)) {
                var said = stems(text(comment));
                said.removeAll(stems(declaration));
                said.removeAll(stems(owner()));
                if (said.isEmpty()) {
                    long position = trees.getSourcePositions().getStartPosition(unit, tree);
                    findings.add(
                            unit.getSourceFile().getName()
                                    + ":"
                                    + unit.getLineMap().getLineNumber(position)
                                    + ": the javadoc only repeats the name: "
                                    + text(comment));
                }
            }
        }

        private String owner() {
            TreePath parent = getCurrentPath().getParentPath();
            return parent.getLeaf() instanceof ClassTree owner
                    ? owner.getSimpleName().toString()
                    : "";
        }
    }

    /** One sentence without any markup may be filler; tags and links say something. */
    private static boolean isPlain(DocCommentTree comment) {
        return comment.getBody().isEmpty()
                && comment.getBlockTags().isEmpty()
                && comment.getFirstSentence().stream()
                        .allMatch(part -> part.getKind() == DocTree.Kind.TEXT);
    }

    private static String text(DocCommentTree comment) {
        return comment.getFirstSentence().stream()
                .map(Object::toString)
                .collect(Collectors.joining(" "));
    }

    /** The words of a sentence or of names in camel case, without endings and empty words. */
    private static Set<String> stems(String text) {
        var words = text.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
        return Pattern.compile("[^a-z0-9]+")
                .splitAsStream(words)
                .filter(word -> !word.isEmpty() && !EMPTY_WORDS.contains(word))
                .map(
                        word ->
                                word.length() > 3
                                        ? word.replaceFirst("(ies|ied|es|s|ed|ing|e|y)$", "")
                                        : word)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
