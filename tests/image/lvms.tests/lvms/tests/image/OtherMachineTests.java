package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** The sources are built and tested on other machines than ours, as README.md says. */
@FullOnly("ten minutes; the same classes pass on this machine in each run")
@Lasts(seconds = 900)
class OtherMachineTests {
    @TempDir private Path folder;

    /** Returns the last line; all that is printed stays in out. */
    private static String run(String name, String... command) throws Exception {
        var log = Path.of("out", name + ".log");
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        process.getOutputStream().close();
        int code = process.waitFor();
        var lines = Files.readAllLines(log);
        var end = String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        assertEquals(0, code, end);
        return lines.getLast();
    }

    /** protoc for arm64 writes the same sources, too: that command compares them first. */
    @Test
    void aHundredUnitClassesPassOnAJvmForArm64() throws Exception {
        var classes = Files.readAllLines(Path.of("tests/machine/classes"));
        assertTrue(classes.size() >= 100, "tests/machine/classes names only " + classes.size());
        var sums = run("arm64", "./build.sh", "test", "--arch", "arm64", "--layer", "unit");
        assertTrue(sums.matches("\\d{3,} passed, 0 failed, \\d+ skipped"), sums);
    }

    @Test
    void anOrdinaryUserNeedsNothingButTheToolsOfTheReadme() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/dpkg")), "only Debian says which tools are GNU's");
        var script = "tests/machine/ordinary-user.sh";
        var sums = run("ordinary-user", "bash", script, folder.toString());
        assertTrue(sums.matches("\\d{4,} passed, 0 failed, \\d+ skipped"), sums);
    }
}
