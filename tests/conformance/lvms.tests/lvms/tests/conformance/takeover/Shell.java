package lvms.tests.conformance.takeover;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Commands of this machine that make an image. */
final class Shell {
    private Shell() {}

    /** Runs a script in a folder; a status other than 0 is a failure. */
    static void run(Path folder, String script, String... arguments)
            throws IOException, InterruptedException {
        var command = new java.util.ArrayList<>(java.util.List.of("sh", "-euc", script, "sh"));
        command.addAll(java.util.List.of(arguments));
        var process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + said);
        }
    }
}
