package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of Debian's package prometheus, which build.sh unpacks into its cache. */
final class Tool {
    private static final Path FOLDER = Path.of(System.getProperty("lvms.cache"), "prometheus");
    private static final long DEADLINE_SECONDS = 120;

    /** What promtool printed, and how it ended. */
    record Run(int code, String output) {
        String require() {
            assertEquals(0, code, output);
            return output;
        }
    }

    private Tool() {}

    /** Prepares a command line. */
    static ProcessBuilder command(String program, String... arguments) {
        var command = new ArrayList<>(List.of(FOLDER.resolve(program).toString()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command);
    }

    /** Runs promtool with this text as its input. */
    static Run promtool(String input, String... arguments)
            throws IOException, InterruptedException {
        var process = command("promtool", arguments).redirectErrorStream(true).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("promtool hangs: " + Arrays.toString(arguments));
        }
        return new Run(process.exitValue(), output);
    }
}
