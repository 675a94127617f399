package lvms.tests.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The test command knows what it is asked for, what that needs, and what is missing for it. */
class OptionsTests {
    @TempDir Path tests;

    private static Options parse(String words) throws UsageException {
        return Options.parse(words.isEmpty() ? List.of() : List.of(words.split(" ")));
    }

    @Test
    void withoutOptionsAllLayersRunButTheRealCluster() throws Exception {
        var options = parse("");
        assertEquals(List.of("unit", "integration", "image", "lab"), options.layers());
        assertFalse(options.full() || options.requireAll() || options.realServer());
        assertEquals(1, options.repeat());
        assertEquals(0, options.minutes());
        assertEquals(25, parse("--within 25").minutes());
    }

    @Test
    void aRealServerIsForTheIntegrationTests() throws Exception {
        assertEquals(List.of("integration"), parse("--apiserver 1.31.0 --marked").layers());
        assertTrue(parse("--apiserver 1.31.0 --layer integration").realServer());
    }

    @Test
    void classesThatRunAgainAndAgainHaveTheMachineToThemselves() throws Exception {
        assertTrue(parse("--repeat 20 Foo").alone());
        assertTrue(parse("--load 4").alone());
        assertTrue(parse("--lanes 1").alone());
        assertFalse(parse("--lanes 3").alone());
    }

    @ParameterizedTest
    @CsvSource({
        "--layer labs, 'no layer named labs, there are: unit, integration, image, lab,"
                + " conformance, e2e'",
        "--layer lab --focus snapshot, --focus is for the layer e2e alone",
        "--layer lab --apiserver 1.31.0, --apiserver is for the layer integration alone",
        "--layer conformance --lvm image, --lvm is for the layer lab alone",
        "--lvm other, '--lvm is machine or image, not other'",
        "--lanes, --lanes needs a value",
        "--lanes 10, '--lanes needs a number from 1 to 9, not 10'",
        "--within 0, '--within needs a number from 1 to 1000, not 0'",
        "--repeat often, '--repeat needs a number from 1 to 1000, not often'",
        "--fast, unknown option --fast",
    })
    void refusesWhatItDoesNotKnowInOneLine(String words, String message) {
        assertEquals(message, assertThrows(UsageException.class, () -> parse(words)).getMessage());
    }

    private void source(String file, String packageName) throws Exception {
        var path = tests.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "package " + packageName + ";\n");
    }

    @Test
    void findsTheClassesInTheSources() throws Exception {
        source("unit/m/a/BTests.java", "a");
        source("unit/m/a/ATests.java", "a");
        source("unit/m/a/Support.java", "a");
        source("lab/m/b/CTests.java", "b");
        var all = Selection.of(tests, parse(""));
        assertEquals(
                List.of("unit a.ATests", "unit a.BTests", "lab b.CTests"),
                all.classes().stream().map(TestClass::line).toList());
        assertEquals(List.of("image", "lab"), List.copyOf(all.needs(parse(""))));
        assertEquals(Set.of("runner", "unit/m", "lab/m"), all.trees());
        var some = Selection.of(tests, parse("BTests no.such"));
        assertEquals(Set.of("runner", "unit/m"), some.trees());
        assertEquals(List.of(new TestClass("unit", "a.BTests")), some.classes());
        assertTrue(some.needs(parse("")).isEmpty());
        source("unit/m/p/BrowserTests.java", "lvms.operator.page");
        var page = Selection.of(tests, parse("page.Browser"));
        assertTrue(page.needs(parse("")).isEmpty());
        assertEquals(List.of("package chromium"), List.copyOf(page.needs(parse("--full"))));
        var others = Selection.of(tests, parse("--without .B --layer unit Tests"));
        assertEquals(List.of(new TestClass("unit", "a.ATests")), others.classes());
        var nothing = assertThrows(UsageException.class, () -> Selection.of(tests, parse("Z")));
        assertEquals("no test class matches", nothing.getMessage());
    }

    @Test
    void aLayerThatCannotRunIsASkipOrAFailure() throws Exception {
        var file = tests.resolve("obstacles");
        Files.writeString(file, "lab the lab needs Linux\napiserver there is no go in PATH\n");
        var obstacles = Obstacles.read(file);
        assertEquals("the lab needs Linux", obstacles.of(TestClass.of("lab x")).orElseThrow());
        assertTrue(obstacles.of(TestClass.of("integration x")).isPresent());
        assertTrue(obstacles.of(TestClass.of("unit x")).isEmpty());
        assertEquals(
                Map.of(
                        "lvms.skip.lab",
                        "the lab needs Linux",
                        "lvms.skip.apiserver",
                        "there is no go in PATH"),
                obstacles.properties());
        var printed = new ByteArrayOutputStream();
        var report = new Report(new PrintStream(printed, true));
        report.require("lab", "the lab needs Linux");
        assertFalse(report.summarize());
        assertTrue(
                printed.toString()
                        .contains("FAILED lab cannot run on this machine: the lab needs Linux"));
    }
}
