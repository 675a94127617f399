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

    private static final ServerChoice.Newest BUILT = new ServerChoice.Newest("1.36.3", true);
    private static final ServerChoice.Newest NOT_BUILT = new ServerChoice.Newest("1.36.3", false);

    private static Options parse(String words) throws UsageException {
        return parse(words, NOT_BUILT);
    }

    private static Options parse(String words, ServerChoice.Newest newest) throws UsageException {
        return Options.parse(words.isEmpty() ? List.of() : List.of(words.split(" ")), newest);
    }

    @Test
    void withoutOptionsAllLayersRunButTheRealCluster() throws Exception {
        var options = parse("");
        assertEquals(List.of("unit", "integration", "image", "lab"), options.layers());
        assertFalse(options.full() || options.requireAll() || options.server().real());
        assertEquals(List.of("image", "lab"), parse("--layer lab --layer image").layers());
        assertEquals(1, options.repeat());
        assertEquals(0, options.minutes());
        assertEquals(25, parse("--within 25").minutes());
    }

    @Test
    void aRealServerIsForTheIntegrationTests() throws Exception {
        assertEquals(List.of("integration"), parse("--apiserver 1.31.0 --marked").layers());
        assertTrue(parse("--apiserver 1.31.0 --layer integration").server().real());
    }

    @ParameterizedTest
    @CsvSource({
        "'', true, 'kube-apiserver 1.36.3, those marked @OursAlone the server in memory'",
        "'', false, 'the API server in memory: kube-apiserver 1.36.3 is not in the cache"
                + " (./build.sh programs builds it)'",
        "--require-all, false, 'kube-apiserver 1.36.3, those marked @OursAlone the server in"
                + " memory'",
        "--apiserver newest, false, 'kube-apiserver 1.36.3, those marked @OursAlone the server in"
                + " memory'",
        "--apiserver ours, true, the API server in memory",
        "--apiserver 1.31.0, true, kube-apiserver 1.31.0",
    })
    void theServerIsTheNewestThatIsThereUnlessAnotherIsAskedFor(
            String words, boolean built, String server) throws Exception {
        var choice = parse(words, built ? BUILT : NOT_BUILT).server();
        assertEquals("integration tests meet " + server, choice.sentence());
    }

    @Test
    void whatARealServerCannotTakeRunsBesideTheOthersButNotAtOneThatWasNamed() throws Exception {
        assertTrue(parse("", BUILT).server().all());
        assertTrue(parse("", NOT_BUILT).server().all());
        assertTrue(parse("--apiserver newest").server().all());
        assertFalse(parse("--apiserver 1.36.3", BUILT).server().all());
        assertFalse(parse("", ServerChoice.Newest.NONE).server().real());
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
        "--part 1/2, --part is for --full alone",
        "--full --part 3/2, '--part needs N/M, such as 2/3, with M at most 20, not 3/2'",
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
        assertEquals(List.of("kubectl", "image", "lab"), List.copyOf(all.needs(parse(""))));
        assertEquals(Set.of("runner", "unit/m", "lab/m"), all.trees());
        assertEquals(all.needs(parse("")), all.needs(parse("", BUILT)), "no test needs a server");
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
        var share = Selection.of(tests, parse("--full --part 2/2"));
        assertEquals(List.of(new TestClass("unit", "a.BTests")), share.classes());
        source("integration/m/a/DTests.java", "lvms.node.a");
        var node = Selection.of(tests, parse("DTests"));
        assertEquals(
                List.of(
                        "kubectl",
                        "apiserver 1.36.3",
                        "package lvm2",
                        "package xfsprogs",
                        "package btrfs-progs"),
                List.copyOf(node.needs(parse("", BUILT))));
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
