package lvms.tests.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** Lint names file, line and what to write, and the words that are left only get fewer. */
class LintTests {
    private static final String TABLE =
            """
            # word	pattern	instead
            mend	mend(s|ed|ing)?	repair or fix
            in the way	(is|are) in the way	blocks
            symptoms	\\*{1,2}(You see|Lost)[:,]?\\*{1,2}	Symptoms or Data loss
            """;

    private static final String HEAD =
            """
            # How often each word of words.tsv is still used, by file. Written by ./build.sh fmt, \
            which never raises a sum.
            # If two branches changed the same line, take either, then run ./build.sh fmt.
            """;

    @TempDir private static Path classes;

    @TempDir private Path folder;

    private record Answer(int status, List<String> lines) {}

    @BeforeAll
    static void compile() throws IOException {
        var words = new ArrayList<>(List.of("-d", classes.toString(), "--release", "25"));
        try (var files = Files.list(Path.of("build"))) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(words::add);
        }
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(System.out, System.err, words.toArray(String[]::new)));
    }

    @BeforeEach
    void table() throws IOException {
        write("build/words.tsv", TABLE);
        left();
    }

    private void write(String file, String text) throws IOException {
        var path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void left(String... rows) throws IOException {
        write("build/words-left.tsv", HEAD + rows(rows));
    }

    private static String rows(String... rows) {
        return String.join("", List.of(rows).stream().map(row -> row + "\n").toList())
                .replace(' ', '\t');
    }

    private String present() throws IOException {
        return Files.readString(folder.resolve("build/words-left.tsv")).substring(HEAD.length());
    }

    /** Runs it as build.sh does, on all files of the folder. */
    private Answer lint(String... arguments) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("--class-path", classes.toString(), "Lint"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        var process = builder.redirectErrorStream(true).start();
        try (var input = process.outputWriter();
                var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                input.write(folder.relativize(file) + "\n");
            }
        }
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), said.lines().toList());
    }

    private void finds(String... lines) throws Exception {
        var answer = lint();
        assertEquals(List.of(lines), answer.lines());
        assertEquals(lines.length == 0 ? 0 : 1, answer.status());
    }

    @Test
    void namesThePlaceOfAWordAndWhatToWrite() throws Exception {
        write(
                "docs/a.md",
                """
                One.

                It is mended, and the disk is in
                the way.

                **You see:** it.
                """);
        finds(
                "docs/a.md:3: \"mended\": write repair or fix (1 of these here, 0 before)",
                "docs/a.md:3: \"is in the way\": write blocks (1 of these here, 0 before)",
                "docs/a.md:6: \"**You see:**\": write Symptoms or Data loss"
                        + " (1 of these here, 0 before)");
    }

    @Test
    void readsTheLiteralsOfJavaAndNoComments() throws Exception {
        write(
                "m/m/A.java",
                """
                /** It mends, and says so. */
                class A {
                    // mended
                    String sum(int size) {
                        return "a disk that is in"
                                + " the way of " + size + "\\nmending";
                    }

                    String block =
                            \"""
                            one \\
                            two
                            it mends\\tthat\\
                            \""";

                    String apart(int size) {
                        return "it is " + size + "in the way" + (size + "is in").length();
                    }
                }
                """);
        left("m/m/A.java mend 1");
        finds(
                "m/m/A.java:6: \"mending\": write repair or fix (2 of these here, 1 before)",
                "m/m/A.java:13: \"mends\": write repair or fix (2 of these here, 1 before)",
                "m/m/A.java:5: \"is in the way\": write blocks (1 of these here, 0 before)");
    }

    @Test
    void hidesWhatIsQuotedAndWhatIsAComment() throws Exception {
        write(
                "docs/a.md",
                """
                Call `groups().mend` or `a
                mend` ([here](lvm2.md#mending)).
                ```java
                lvm.mend("vg");
                ```
                """);
        write("deploy/a.yaml", "# mended\nkey: mended\n");
        write("deploy/chart/templates/a.tpl", "{{- /* it\nmends */ -}}\n{{ fail \"mend it\" }}\n");
        write("build/a.sh", "# mended\n## mends   all\ndie 'mend it'\n");
        finds(
                "build/a.sh:2: \"mends\": write repair or fix (2 of these here, 0 before)",
                "build/a.sh:3: \"mend\": write repair or fix (2 of these here, 0 before)",
                "deploy/a.yaml:2: \"mended\": write repair or fix (1 of these here, 0 before)",
                "deploy/chart/templates/a.tpl:3: \"mend\": write repair or fix"
                        + " (1 of these here, 0 before)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/adr/0001-a.md",
                "docs/adr/README.md",
                "docs/style.md",
                "docs/reference.md",
                "tests/unit/a.sh",
                "tests/unit/A.java",
                "proto/a.proto",
                "NOTICE",
            })
    void leavesOutRecordsTheGuideAndTests(String file) throws Exception {
        write(file, "class A { String text = \"mended\"; } // mended\n");
        finds();
    }

    @Test
    void aWordThatIsPartOfAnotherIsNone() throws Exception {
        write("docs/a.md", "Amended, MendingRunner, recommends, mend_it.\n");
        finds();
    }

    @Test
    void theOldPlacesOfAWordAreNotShown() throws Exception {
        write("docs/a.md", "Mend it.\n");
        write("docs/b.md", "Mend it.\n");
        left("docs/a.md mend 1");
        finds("docs/b.md:1: \"Mend\": write repair or fix (1 of these here, 0 before)");
    }

    @Test
    void fewerWordsAreWrittenByFmt() throws Exception {
        write("docs/a.md", "Mend it.\n");
        left("docs/a.md mend 3", "docs/gone.md mend 1");
        finds(
                "build/words-left.tsv: fewer words are left, or in other files:"
                        + " ./build.sh fmt writes it");
        assertEquals(new Answer(0, List.of()), lint("--fmt"));
        assertEquals(rows("docs/a.md mend 1"), present());
        finds();
    }

    @Test
    void aTextThatMovesToAnotherFileTakesItsWordsAlong() throws Exception {
        write("docs/b.md", "Mend it.\n");
        left("docs/a.md mend 1");
        assertEquals(new Answer(0, List.of()), lint("--fmt"));
        assertEquals(rows("docs/b.md mend 1"), present());
    }

    @Test
    void moreWordsAreNotWrittenByFmt() throws Exception {
        write("docs/a.md", "Mend it, which mends it. What is in the way?\n");
        write("build/words-left.tsv", HEAD + "docs/a.md\tin the way\t2\ndocs/a.md\tmend\t1\n");
        assertEquals(new Answer(0, List.of()), lint("--fmt"));
        assertEquals("docs/a.md\tin the way\t1\ndocs/a.md\tmend\t1\n", present());
    }

    @Test
    void aNewWordBeginsWithALargeNumber() throws Exception {
        write("docs/a.md", "Mend it.\n");
        left("docs mend 99999");
        assertEquals(new Answer(0, List.of()), lint("--fmt"));
        assertEquals(rows("docs/a.md mend 1"), present());
    }

    @Test
    void withoutAFileOfCountsNothingIsLeft() throws Exception {
        Files.delete(folder.resolve("build/words-left.tsv"));
        finds();
        write("docs/a.md", "Mend it.\n");
        finds("docs/a.md:1: \"Mend\": write repair or fix (1 of these here, 0 before)");
    }

    @ParameterizedTest
    @CsvSource({
        "<<<<<<< HEAD, 'expected a file, a word and a number, with tabs between'",
        "docs/a.md mend, 'expected a file, a word and a number, with tabs between'",
        "docs/a.md mend 0, 'expected a file, a word and a number, with tabs between'",
        "docs/a.md mend -1, 'expected a file, a word and a number, with tabs between'",
        "docs/a.md mend 9999999999, 'expected a file, a word and a number, with tabs between'",
    })
    void countsThatCannotBeReadAreNamedAndStay(String row, String message) throws Exception {
        left("docs/a.md mend 1", row);
        var line = "build/words-left.tsv:4: " + message;
        assertEquals(new Answer(1, List.of(line)), lint());
        assertEquals(new Answer(1, List.of(line)), lint("--fmt"));
        assertEquals(rows("docs/a.md mend 1", row), present());
    }

    @Test
    void twoCountsOfOneFileAreNamed() throws Exception {
        left("docs/a.md mend 1", "docs/a.md mend 2");
        finds(
                "build/words-left.tsv:4: docs/a.md and mend occur twice:"
                        + " remove one of the lines");
    }

    @ParameterizedTest
    @CsvSource({
        "mend mend, 'expected a word, its pattern and what to write instead, with tabs between'",
        "mend mend NO, 'expected a word, its pattern and what to write instead, with tabs between'",
        "mend mend(s repair, the pattern is wrong: Unclosed group",
        "a b c;a d e, a occurs twice",
    })
    void aTableThatCannotBeReadIsNamed(String rows, String message) throws Exception {
        var lines = rows.replace("NO", "").replace(' ', '\t').split(";");
        write("build/words.tsv", String.join("\n", lines) + "\n");
        finds("build/words.tsv:" + lines.length + ": " + message);
    }

    @Test
    void aFileThatIsNoTextIsNamed() throws Exception {
        Files.write(folder.resolve("a.md"), new byte[] {'a', (byte) 0xff, '\n'});
        finds("a.md: is not text in UTF-8");
    }

    @Test
    void javaHas100ColumnsAndEverythingElse120() throws Exception {
        var words = "a ".repeat(50);
        write("m/m/A.java", "// " + words.substring(3) + "\n/* " + words + "*/ class A {}\n");
        write("m/m/B.java", "import a." + "b".repeat(100) + ";\n");
        write("docs/a.md", words + words.substring(80) + "\n" + words + words.substring(79) + "\n");
        write("docs/b.md", "| " + words + words + "|\nhttps://" + "a".repeat(130) + "\n");
        write("Containerfile", "RUN " + words + words + "\n");
        finds(
                "Containerfile:1: 204 columns, more than 120",
                "docs/a.md:2: 121 columns, more than 120",
                "m/m/A.java:2: 116 columns, more than 100");
    }
}
