package lvms.tests.page;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A shell in which blocks are run one after the other, as by a reader who keeps one window open:
 * variables, folder and jobs stay. The first command that fails ends it.
 */
public final class Terminal implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final String PASSED = "[no command failed]";
    private static final Duration POLL = Duration.ofMillis(20);

    private final Path files;
    private final Process shell;
    private final Writer input;
    private int count;

    private Terminal(Path files, Process shell) {
        this.files = files;
        this.shell = shell;
        this.input = new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8);
    }

    /**
     * Opens a shell.
     *
     * @param directory where it begins
     * @param environment more variables than those of this process
     */
    public static Terminal open(Path directory, Map<String, String> environment)
            throws IOException {
        var files = Files.createTempDirectory("terminal");
        var builder = new ProcessBuilder("bash", "--noprofile", "--norc");
        builder.environment().putAll(environment);
        builder.directory(directory.toFile());
        builder.redirectErrorStream(true).redirectOutput(files.resolve("shell").toFile());
        return new Terminal(files, builder.start());
    }

    /** Runs a block, and returns what it printed, which has to hold what the page shows. */
    public String run(Block block) throws IOException, InterruptedException {
        var printed = run(block.place(), block.take());
        for (var line : block.output().lines().toList()) {
            if (!printed.contains(line)) {
                throw new AssertionError(
                        block.place() + " does not print: " + line + "\n" + printed);
            }
        }
        return printed;
    }

    /**
     * Runs a block whose commands ask a person, who types the answers. It has a shell and a
     * terminal of its own.
     */
    public String answering(String typed, Block block) throws IOException, InterruptedException {
        var script = Files.writeString(files.resolve("asks.sh"), block.take());
        var keys = Files.writeString(files.resolve("keys"), typed);
        // script ends at the end of its input, which a person does not end; nor may it be the
        // parent
        // of what writes the input, for which it would wait.
        var commands =
                """
                exec 9< <(cat %2$s; sleep %3$d)
                script --quiet --return --command 'bash -e %1$s' /dev/null <&9
                exec 9<&-
                """;
        return run(block.place(), commands.formatted(script, keys, DEADLINE.toSeconds()));
    }

    /** Runs a block that has to fail, and returns what it printed. */
    public String refused(Block block) throws IOException, InterruptedException {
        var commands = "if (set -e\n" + block.take() + "); then echo '" + PASSED + "'; fi\n";
        var printed = run(block.place(), commands);
        if (printed.contains(PASSED)) {
            throw new AssertionError(block.place() + " does not fail:\n" + printed);
        }
        return printed;
    }

    /** Runs commands that are not on the page. */
    public String type(String commands) throws IOException, InterruptedException {
        return run(commands.strip(), commands);
    }

    private String run(String name, String commands) throws IOException, InterruptedException {
        count++;
        var script = Files.writeString(files.resolve(count + ".sh"), commands);
        var out = files.resolve(count + ".out");
        var done = files.resolve(count + ".done");
        // What is left in the background writes into the file, so nothing waits for it.
        input.write(
                "set -e; . %s </dev/null >%s 2>&1; set +e\n: >%s\n".formatted(script, out, done));
        input.flush();
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!Files.exists(done)) {
            if (!shell.isAlive()) {
                throw new AssertionError(
                        "%s fails with %d:\n%s%s"
                                .formatted(
                                        name, shell.exitValue(), commands, Files.readString(out)));
            }
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        name + " does not end:\n" + commands + Files.readString(out));
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
        return Files.readString(out);
    }

    /** Ends the shell and what it has in the background. */
    @Override
    public void close() throws IOException {
        shell.descendants().forEach(ProcessHandle::destroy);
        shell.destroy();
        shell.onExit().join();
        try (var all = Files.list(files)) {
            for (var file : all.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(files);
    }
}
