package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.Looks;
import lvms.tests.training.Cluster;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs in {@code out/image/bin} start as people call them: from any folder, through links,
 * and after the folder was moved. Words, signals and exit codes pass unchanged.
 */
class LauncherTests {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String VERSION = "lvms \\d+\\.\\d+\\.\\d+ \\(commit \\S+, java 25.*\\)\n";
    private static final String LVMD_VERSION = "lvmd version \\d+\\.\\d+\\.\\d+\n";
    private static final Path IMAGE = Path.of(System.getProperty("lvms.image")).toAbsolutePath();

    /** Each program, with words that it answers at once, its exit code and all that it prints. */
    private record Call(String program, List<String> words, int code, String output) {}

    private static final List<Call> CALLS =
            List.of(
                    new Call("lvms", List.of("version"), 0, VERSION),
                    new Call("lvms-operator", List.of("--help"), 0, "lvms operator: (?s:.*)"),
                    new Call("lvms-vgmanager", List.of("--help"), 0, "lvms vgmanager: (?s:.*)"),
                    new Call("lvmd", List.of("--version"), 0, LVMD_VERSION),
                    new Call("hypertopolvm", List.of("lvmd", "--version"), 0, LVMD_VERSION),
                    new Call("hypertopolvm", List.of(), 1, "usage: hypertopolvm (?s:.*)"),
                    new Call(
                            "topolvm-controller",
                            List.of("--version"),
                            0,
                            "topolvm-controller version .*\n"),
                    new Call("topolvm-node", List.of("--version"), 0, "topolvm-node version .*\n"),
                    new Call(
                            "topolvm-scheduler",
                            List.of("--version"),
                            0,
                            "topolvm-scheduler version .*\n"));

    @TempDir private Path scratch;
    private Path elsewhere;

    @BeforeEach
    void makeFolder() throws IOException {
        elsewhere = Files.createDirectory(scratch.resolve("else where"));
    }

    /** What a program printed on both outputs, and how it ended. */
    private record Ended(int code, String output) {}

    private static Ended run(Path directory, String path, List<String> words) throws Exception {
        var builder = new ProcessBuilder(words).directory(directory.toFile());
        builder.environment().put("PATH", path);
        var process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "does not end: " + words);
        return new Ended(process.exitValue(), output);
    }

    private Ended run(String... words) throws Exception {
        return run(elsewhere, System.getenv("PATH"), List.of(words));
    }

    private static void assertAnswers(int code, String pattern, Ended ended) {
        assertEquals(code, ended.code(), ended.output());
        assertTrue(ended.output().matches(pattern), ended.output());
    }

    private void assertAllAnswer(Path bin) throws Exception {
        for (var call : CALLS) {
            var words = new ArrayList<>(call.words());
            words.addFirst(bin.resolve(call.program()).toString());
            assertAnswers(call.code(), call.output(), run(words.toArray(String[]::new)));
        }
    }

    @Test
    void byTheirAbsolutePaths() throws Exception {
        assertAllAnswer(IMAGE.resolve("bin"));
    }

    @Test
    void byRelativePaths() throws Exception {
        var path = System.getenv("PATH");
        var words = List.of("./lvms", "version");
        assertAnswers(0, VERSION, run(IMAGE.resolve("bin"), path, words));
        words = List.of("bin/../bin/lvmd", "--version");
        assertAnswers(0, LVMD_VERSION, run(IMAGE, path, words));
    }

    @Test
    void byTheirNamesInThePath() throws Exception {
        for (var path : List.of(IMAGE.resolve("bin").toString(), "bin", "../image/bin")) {
            var ended = run(IMAGE, path + ":" + System.getenv("PATH"), shell("lvms version"));
            assertAnswers(0, VERSION, ended);
            ended = run(IMAGE, path + ":" + System.getenv("PATH"), shell("lvmd --version"));
            assertAnswers(0, LVMD_VERSION, ended);
        }
    }

    private static List<String> shell(String line) {
        return List.of("sh", "-c", line);
    }

    @Test
    void throughLinksWhoseNamesChooseTheCommand() throws Exception {
        var relative = elsewhere.relativize(IMAGE.resolve("bin/lvms"));
        Files.createSymbolicLink(elsewhere.resolve("lvms"), IMAGE.resolve("bin/lvms"));
        Files.createSymbolicLink(elsewhere.resolve("another"), relative);
        Files.createSymbolicLink(elsewhere.resolve("lvmd"), relative);
        Files.createSymbolicLink(elsewhere.resolve("hypertopolvm"), Path.of("lvmd"));
        Files.createSymbolicLink(elsewhere.resolve("lvms-version"), Path.of("another"));
        assertAnswers(0, VERSION, run("./lvms", "version"));
        assertAnswers(0, VERSION, run(elsewhere.resolve("another").toString(), "version"));
        assertAnswers(0, LVMD_VERSION, run("./lvmd", "--version"));
        assertAnswers(0, LVMD_VERSION, run("./hypertopolvm", "lvmd", "--version"));
        assertAnswers(0, VERSION, run("./lvms-version"));
        var path = elsewhere + ":" + System.getenv("PATH");
        assertAnswers(0, LVMD_VERSION, run(Path.of("/"), path, shell("lvmd --version")));
    }

    @Test
    void throughALinkOfAFolder() throws Exception {
        Files.createSymbolicLink(elsewhere.resolve("bin"), IMAGE.resolve("bin"));
        Files.createSymbolicLink(elsewhere.resolve("image"), IMAGE);
        assertAnswers(0, LVMD_VERSION, run("bin/lvmd", "--version"));
        assertAnswers(0, VERSION, run("image/bin/lvms", "version"));
    }

    /** A copy has other time stamps, and with {@code -L} no links. */
    @ParameterizedTest
    @ValueSource(strings = {"-r", "-a", "-rL"})
    void ofACopyThatIsMoved(String option) throws Exception {
        var copy = elsewhere.resolve("the $HOME 'image' of\t\"lvms\" @1");
        assertEquals(0, run("cp", option, IMAGE.toString(), copy.toString()).code());
        assertAllAnswer(copy.resolve("bin"));
        var moved = Files.move(copy, scratch.resolve("moved"));
        assertAllAnswer(moved.resolve("bin"));
    }

    static Stream<List<String>> shells() {
        return Stream.of(List.of("sh"), List.of("dash"), List.of("bash"), List.of("busybox", "sh"))
                .filter(words -> isInstalled(words.getFirst()));
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Which of them is {@code /bin/sh} differs between distributions. */
    @ParameterizedTest
    @MethodSource("shells")
    void byEachShell(List<String> shell) throws Exception {
        var words = new ArrayList<>(shell);
        words.addAll(List.of(IMAGE.resolve("bin/lvmd").toString(), "--version"));
        assertAnswers(0, LVMD_VERSION, run(words.toArray(String[]::new)));
        words = new ArrayList<>(shell);
        words.addAll(List.of("lvmd", "--version"));
        var path = System.getenv("PATH");
        assertAnswers(0, LVMD_VERSION, run(IMAGE.resolve("bin"), path, words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two words",
                " x ",
                "*",
                "$HOME",
                "`id`",
                "a'b",
                "a\"b",
                "a\\b",
                "@file",
                "-Xmx1g",
                "--module",
                "%s",
                "line\nline",
                "größer",
                ""
            })
    void wordsPassUnchanged(String word) throws Exception {
        var ended = run(IMAGE.resolve("bin/lvms").toString(), word, "rest");
        var expected = "lvms: unknown command \"" + word + "\" (lvms help lists the commands)\n";
        assertEquals(new Ended(2, expected), ended);
    }

    /** A service manager knows the process that it started, and signals that one. */
    @Test
    void aSignalReachesTheProcessThatServes() throws Exception {
        var socket = scratch.resolve("csi.sock");
        var output = scratch.resolve("log");
        try (var cluster = Cluster.start()) {
            var builder =
                    new ProcessBuilder(
                            IMAGE.resolve("bin/lvms-operator").toString(),
                            "--csi-socket=" + socket,
                            "--health-probe-bind-address=127.0.0.1:0");
            builder.environment().putAll(cluster.environment(Cluster.NAMESPACE));
            var operator =
                    builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            try {
                Looks.until(
                        () -> Files.readString(output),
                        SOON,
                        () -> {
                            assertTrue(operator.isAlive(), Files.readString(output));
                            return Files.exists(socket);
                        });
            } finally {
                operator.destroy();
                assertTrue(operator.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "it does not end");
            }
            assertEquals(0, operator.exitValue(), Files.readString(output));
        }
    }
}
