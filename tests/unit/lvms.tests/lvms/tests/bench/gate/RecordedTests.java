package lvms.tests.bench.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;

/** The record keeps the goals, and says in one line what is wrong with it. */
class RecordedTests {
    @TempDir Path folder;

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text.replace(';', '\t'));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a;b;-|group, ratio, goal, recorded with tabs between, found: a;b;-",
                "a;b;-;1;2|group, ratio, goal, recorded with tabs between, found: a;b;-;1;2",
                "a b 1 1|group, ratio, goal, recorded with tabs between, found: a b 1 1",
                "a;b;-;fast|a number, found fast",
                "a;b;-;0|a number above 0, found 0",
                "a;b;none;1|a number, found none",
                "a;b;-;NaN|a number, found NaN",
            })
    void aLineThatCannotBeReadIsNamed(String line, String expected) throws Exception {
        var file = write("recorded.tsv", "# a comment\n\n" + line + "\n");
        var failure = assertThrows(UsageException.class, () -> Recorded.read(file));
        assertEquals(
                file + " line 3: expected " + expected.replace(';', '\t'), failure.getMessage());
    }

    @Test
    void aRatioIsThereOnce() throws Exception {
        var file = write("recorded.tsv", "a;b;-;1\na;b;-;2\n");
        var failure = assertThrows(UsageException.class, () -> Recorded.read(file));
        assertEquals(
                file + " line 2: expected each ratio once, found a: b again", failure.getMessage());
    }

    @Test
    void aRecordThatIsNotThereIsNamed() {
        var file = folder.resolve("recorded.tsv");
        var failure = assertThrows(UsageException.class, () -> Recorded.read(file));
        assertEquals("there is no " + file, failure.getMessage());
    }

    @Test
    void recordingKeepsGoalsAndWhatWasSkipped() throws Exception {
        var file =
                write(
                        "recorded.tsv",
                        """
                        skipped;lvs / raw;0.1;0.5
                        ran;claim / raw;1.0;1.5
                        ran;gone / raw;1.0;1.5
                        """);
        write(Run.OUTCOMES, "ran;ran;\nskipped;skipped;no loop devices\n");
        Ratios.of("ran").add("claim / raw", 1.23456).add("new / raw", 2).write(folder);
        var renewed = Recorded.read(file).renewed(Run.read(folder)).text();
        assertTrue(renewed.startsWith("# What each ratio of"), renewed);
        assertTrue(
                renewed.endsWith(
                        """
                        ran;claim / raw;1.0;1.23
                        ran;new / raw;-;2.00
                        skipped;lvs / raw;0.1;0.5
                        """
                                .replace(';', '\t')),
                renewed);
        assertFalse(renewed.contains("gone"), renewed);
        assertEquals(renewed, Recorded.read(write("again.tsv", renewed)).text());
    }

    /** The goals are for people to read there; the file is what counts. */
    @Test
    void eachGoalIsInTheDocumentation() throws Exception {
        var page = Files.readString(Path.of("docs/performance.md"));
        Recorded.read(Recorded.FILE)
                .rows()
                .forEach(
                        (key, row) -> {
                            var goal = row.goal().map(g -> g.toPlainString());
                            goal.ifPresent(
                                    number -> {
                                        var line =
                                                "| "
                                                        + key.group()
                                                        + " | "
                                                        + key.name()
                                                        + " | "
                                                        + number
                                                        + " |";
                                        assertTrue(page.contains(line), line);
                                    });
                        });
    }
}
