package lvms.release;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Commands as a person types them. */
final class Shell {
    private Shell() {}

    /** How a command ended, and what it printed on both outputs. */
    record Ended(String command, int code, String out) {
        String require() {
            assertEquals(0, code, command + ": " + out);
            return out;
        }
    }

    static Ended run(Path where, String command, String... environment) throws Exception {
        return run(where, command, List.of(environment));
    }

    static Ended run(Path where, String command, List<String> environment) throws Exception {
        var builder =
                new ProcessBuilder("bash", "-c", command)
                        .directory(where.toFile())
                        .redirectErrorStream(true);
        for (var variable : environment) {
            var parts = variable.split("=", 2);
            builder.environment().put(parts[0], parts[1]);
        }
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(command, process.waitFor(), out);
    }
}
