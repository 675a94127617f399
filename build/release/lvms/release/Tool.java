package lvms.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program of this machine that has to end well. */
final class Tool {
    private Tool() {}

    /** Runs it and returns what it printed. */
    static byte[] run(List<String> command) throws IOException {
        var errors = Path.of(System.getProperty("java.io.tmpdir"));
        var said = Files.createTempFile(errors, "lvms-release", ".err");
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectError(said.toFile())
                            .start();
            var out = process.getInputStream().readAllBytes();
            int code = process.waitFor();
            if (code != 0) {
                var lines = Files.readAllLines(said, StandardCharsets.UTF_8);
                throw new IOException(
                        command.getFirst()
                                + " ended with "
                                + code
                                + (lines.isEmpty() ? "" : ": " + lines.getFirst()));
            }
            return out;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command.getFirst() + " was interrupted", e);
        } finally {
            Files.delete(said);
        }
    }
}
