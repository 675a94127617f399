package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real kubectl, as the administrator of a server. */
public final class Kubectl {
    private static final long DEADLINE_SECONDS = 30;

    private final Path directory;

    /** What a command printed, and how it ended. */
    public record Run(int code, String output) {}

    /**
     * Prepares commands for a server.
     *
     * @param directory where kubectl may keep what it likes
     */
    public Kubectl(ApiServer server, Path directory) throws IOException {
        this.directory = directory;
        server.kubeconfig(directory);
    }

    /** Returns whether there is one on this machine. */
    public static boolean onPath() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
    }

    /** Runs a command. */
    public Run run(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("KUBECONFIG", directory.resolve("kubeconfig").toString());
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("kubectl hangs: " + command);
        }
        return new Run(process.exitValue(), output);
    }

    /** Runs a command that has to succeed; returns what it printed. */
    public String succeed(String... arguments) throws IOException, InterruptedException {
        var run = run(arguments);
        assertEquals(0, run.code(), run.output());
        return run.output();
    }
}
