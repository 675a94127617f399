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
import java.nio.charset.CharacterCodingException;
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
 * Finds what the formatter cannot: lines that are too long, javadoc that says nothing, and words
 * that we do not use. It gets the files on standard input, one in each line, prints {@code
 * file:line: what} for each finding, and ends with 1 if there is one. With {@code --fmt} it only
 * writes how many of those words are left, if there are not more than before.
 */
final class Lint {
    /** The formatter's number. */
    private static final int JAVA_COLUMNS = 100;

    private static final int COLUMNS = 120;

    /** Files and lines that cannot be wrapped, and why. */
    private static final List<Exception> LONG_LINES_ALLOWED =
            List.of(
                    new Exception("docs/reference[.]md", "made by ./build.sh docs"),
                    new Exception(
                            "deploy/(base/crds|legacy|nativestor/crds)/.*",
                            "a description is one YAML line"),
                    new Exception(".*[.]json", "a string cannot be wrapped"),
                    new Exception(".*[.]svg", "a path is one line"),
                    new Exception(".*/resources/.*", "recorded, as a program printed it"),
                    new Exception("proto/csi/.*", "the specification's own file"),
                    new Exception(".*/go[.](mod|sum)", "written by go"),
                    new Exception(".*([.](lock|tsv)|-contents)", "tables of pinned files"),
                    new Exception(".*", "\\s*\\S+", "an address, or a name"),
                    new Exception(".*[.]java", "import .*;", "a name"),
                    new Exception(".*[.](md|txt)", "\\s*\\|.*|\\S+ \\|.*", "a row of a table"),
                    new Exception(".*[.]tpl", "\\{\\{- fail .*", "a string of Go is one line"));

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

    private record Exception(String files, String lines, String reason) {
        Exception(String files, String reason) {
            this(files, ".*", reason);
        }

        boolean allows(Path file, String line) {
            return file.toString().matches(files) && line.matches(lines);
        }
    }

    private Lint() {}

    public static void main(String[] args) throws IOException {
        var files =
                new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(Path::of)
                        .filter(Files::isRegularFile)
                        .toList();
        boolean writes = List.of(args).equals(List.of("--fmt"));
        var lint = new Lint();
        var words = Words.read();
        for (var file : files) {
            lint.text(file, writes, words);
        }
        lint.java(files, writes, words);
        lint.findings.addAll(writes ? words.lower() : words.findings());
        lint.findings.forEach(System.out::println);
        System.exit(lint.findings.isEmpty() ? 0 : 1);
    }

    /** Columns and words of any file, and only the latter if the counts are to be written. */
    private void text(Path file, boolean onlyWords, Words words) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException _) {
            findings.add(file + ": is not text in UTF-8");
            return;
        }
        if (!onlyWords) {
            columns(file, text);
        }
        Prose.of(file, text).forEach(passage -> words.look(file, passage));
    }

    private void columns(Path file, String text) {
        int most = file.toString().endsWith(".java") ? JAVA_COLUMNS : COLUMNS;
        int number = 0;
        for (var line : text.lines().toList()) {
            number++;
            int length = line.codePointCount(0, line.length());
            if (length > most && LONG_LINES_ALLOWED.stream().noneMatch(e -> e.allows(file, line))) {
                findings.add(file + ":" + number + ": " + length + " columns, more than " + most);
            }
        }
    }

    /** Javadoc and words; only the latter if the counts are to be written. */
    private void java(List<Path> files, boolean onlyWords, Words words) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var sources =
                files.stream()
                        .filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !onlyWords || Prose.speaks(file))
                        .toList();
        if (sources.isEmpty()) {
            return;
        }
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    _ -> {},
                                    List.of("-proc:none"),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(sources));
            var trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                if (!onlyWords) {
                    new Comments(unit, trees).scan(unit, null);
                }
                var file = Path.of(unit.getSourceFile().getName());
                if (Prose.speaks(file)) {
                    Literals.of(unit, trees.getSourcePositions())
                            .forEach(passage -> words.look(file, passage));
                }
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
