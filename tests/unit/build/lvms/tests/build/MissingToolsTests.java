package lvms.tests.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Before anything runs, the build names in one line all that the machine lacks. */
class MissingToolsTests {
    /** What every system has under these names, whoever wrote it. */
    private static final List<String> EVERYWHERE = List.of("dirname", "uname", "id", "sed");

    @TempDir private Path folder;

    /** Returns a program of the {@code PATH}. */
    private static Path program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private void link(List<String> names) throws IOException {
        for (var name : names) {
            Files.createSymbolicLink(folder.resolve(name), program(name));
        }
    }

    /** Returns what it prints with the folder as its {@code PATH}. */
    private String build(String target) throws Exception {
        var builder = new ProcessBuilder(program("bash").toString(), "build.sh", target);
        var environment = builder.environment();
        environment.clear();
        environment.putAll(Map.of("PATH", folder.toString(), "HOME", folder.toString()));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        var process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @Test
    void allThatIsMissingIsOneLine() throws Exception {
        link(EVERYWHERE);
        assertEquals(
                "build.sh: missing: GNU coreutils, GNU findutils, GNU grep, awk"
                        + (Files.exists(Path.of(".git")) ? ", git" : "")
                        + " (README.md says where it comes from)",
                build("compile"));
    }

    @Test
    void helpNeedsNoMoreThanItReads() throws Exception {
        link(EVERYWHERE);
        link(List.of("grep", "mkdir"));
        var first = build("help").lines().findFirst().orElseThrow();
        assertEquals("usage: ./build.sh [target] [arguments]", first);
    }
}
