package lvms.tests.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Each block of the pages that people follow says which test runs it, or why none does. */
class BlockMarkTests {
    private static final Path TESTS = Path.of("tests");

    private static List<Block> blocks() throws IOException {
        var blocks = new ArrayList<Block>();
        for (var page : Page.ALL) {
            blocks.addAll(Page.of(page).blocks());
        }
        return blocks;
    }

    /** What is wrong with each mark that names a test. */
    private static List<String> wrong(List<Block> blocks, Map<String, List<Path>> sources)
            throws IOException {
        var wrong = new ArrayList<String>();
        for (var block : blocks) {
            if (block.mark().orElse(null) instanceof Mark.Tested(var place, var name)) {
                var files = sources.getOrDefault(name, List.of());
                if (files.size() != 1) {
                    wrong.add(block.place() + ": there is not one " + name + " but " + files);
                } else if (Mark.Place.ofLayer(layer(files.getFirst())) != place) {
                    wrong.add(block.place() + ": " + files.getFirst() + " does not run " + place);
                } else if (!declares(Files.readString(files.getFirst()), block.page())) {
                    wrong.add(block.place() + ": " + name + " lacks @RunsBlocks for this page");
                }
            }
        }
        return wrong;
    }

    private static String layer(Path source) {
        return TESTS.relativize(source).getName(0).toString();
    }

    /** The annotation sees to it that the class runs each of its blocks. */
    private static boolean declares(String source, Path page) {
        return source.matches("(?s).*\n@RunsBlocks\\([^)]*\"" + page + "\"[^)]*\\).*");
    }

    private static Map<String, List<Path>> sources() throws IOException {
        try (var files = Files.walk(TESTS)) {
            return files.filter(file -> file.toString().endsWith("Tests.java"))
                    .collect(
                            Collectors.groupingBy(
                                    f -> f.getFileName().toString().replace(".java", "")));
        }
    }

    @Test
    void eachBlockHasOne() throws Exception {
        var without = blocks().stream().filter(block -> block.mark().isEmpty());
        assertEquals(List.of(), without.map(Block::place).toList());
        var counts = new TreeMap<String, Integer>();
        for (var block : blocks()) {
            counts.merge(kind(block.mark().orElseThrow()), 1, Integer::sum);
        }
        System.out.println("blocks of " + Page.ALL + ": " + counts);
    }

    private static String kind(Mark mark) {
        return switch (mark) {
            case Mark.Tested(var place, _) -> "tested " + place;
            case Mark.NotTested _ -> "not tested";
            case Mark.NoCommand _ -> "no command";
            case Mark.Output _ -> "output";
        };
    }

    @Test
    void eachNamesAClassThatRunsThePageThere() throws Exception {
        assertEquals(List.of(), wrong(blocks(), sources()));
    }

    private static List<Block> page(String... lines) {
        return Page.read(Path.of("docs/install.md"), List.of(lines)).blocks();
    }

    @Test
    void aNameOfNoClassIsFound() throws Exception {
        var blocks =
                page(
                        "<!-- tested: on any machine by NoSuchTests -->",
                        "```",
                        "```",
                        "<!-- tested: on a real cluster by BlockMarkTests -->",
                        "```",
                        "```",
                        "<!-- tested: on any machine by BlockMarkTests -->",
                        "```",
                        "```");
        assertEquals(
                List.of(
                        "docs/install.md:2: there is not one NoSuchTests but []",
                        "docs/install.md:5: tests/unit/lvms.tests/lvms/tests/page/"
                                + "BlockMarkTests.java does not run on a real cluster",
                        "docs/install.md:8: BlockMarkTests lacks @RunsBlocks for this page"),
                wrong(blocks, sources()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "<!-- tested -->",
                "<!-- tested: by SomeTests -->",
                "<!-- tested: on the moon by SomeTests -->",
                "<!-- tested: on any machine by hand -->",
                "<!-- not tested: -->",
                "<!-- not tested -->",
                "<!-- no command -->",
                "<!-- outputs -->",
                "tested: on any machine by SomeTests"
            })
    void anotherCommentIsNone(String line) {
        assertEquals(Optional.empty(), page(line, "```", "```").getFirst().mark());
    }

    @Test
    void theFourFormsAreRead() {
        var tested = new Mark.Tested(Mark.Place.REAL_CLUSTER, "SomeTests");
        assertEquals(
                Optional.of(tested), Mark.of("<!-- tested: on a real cluster by SomeTests -->"));
        assertEquals(
                Optional.of(new Mark.NotTested("needs a registry")),
                Mark.of("<!-- not tested: needs a registry -->"));
        assertEquals(
                Optional.of(new Mark.NoCommand("a picture")),
                Mark.of("<!-- no command: a picture -->"));
        assertEquals(Optional.of(new Mark.Output()), Mark.of("<!-- output -->"));
    }

    @Test
    void outputBelongsToTheTestedBlockBefore() {
        var mark = "<!-- tested: on any machine by BlockMarkTests -->";
        var blocks =
                page(
                        mark,
                        "```sh",
                        "echo a",
                        "```",
                        "It says:",
                        "<!-- output -->",
                        "```",
                        "a",
                        "```");
        assertEquals(List.of("a\n"), blocks.stream().map(Block::output).toList());
        assertEquals("echo a\n", blocks.getFirst().text());
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        page(
                                "<!-- not tested: x -->",
                                "```",
                                "```",
                                "<!-- output -->",
                                "```",
                                "```"));
    }

    @Test
    void aBlockThatDoesNotEndIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> page("```", "ls"));
    }
}
