package lvms.lvm2.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs one program with an argument list, never through a shell: standard input is empty, output is
 * captured up to a bound, and at the deadline the program and its children are killed.
 *
 * @param command the program and its arguments
 * @param deadline how long it may run
 * @param maxOutputBytes how much of each output is kept; the rest is read and dropped
 * @param environment variables to set, in addition to those of this process and {@code LC_ALL=C}
 */
public record Program(
        List<String> command,
        Duration deadline,
        int maxOutputBytes,
        Map<String, String> environment) {
    private static final int DEFAULT_OUTPUT_BYTES = 64 << 10;

    /** How long a grandchild may hold the outputs of a dead program open. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private static final Duration DEATH_WAIT = Duration.ofSeconds(1);

    /**
     * How a program ended.
     *
     * @param status its exit status; 128 plus the number of the signal that ended it
     * @param stdout its standard output, possibly cut
     * @param stderr its standard error, possibly cut
     */
    public record Result(int status, String stdout, String stderr) {
        /** Returns whether the status is zero. */
        public boolean succeeded() {
            return status == 0;
        }
    }

    /** It was killed at its deadline. */
    public static final class Late extends TimeoutException {
        private static final long serialVersionUID = 1L;
        private final transient Process process;

        public Late(String message, Process process) {
            super(message);
            this.process = process;
        }

        /** Completes when the process ends; empty if it has ended, and is not in the kernel. */
        public Optional<CompletableFuture<Process>> end() {
            return process.isAlive() ? Optional.of(process.onExit()) : Optional.empty();
        }
    }

    public Program {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty() || !deadline.isPositive() || maxOutputBytes < 0) {
            throw new IllegalArgumentException(
                    "a program needs a command, a positive deadline and room for output");
        }
    }

    /** A program with up to 64 KiB kept of each output. */
    public static Program of(Duration deadline, String... command) {
        return new Program(List.of(command), deadline, DEFAULT_OUTPUT_BYTES, Map.of());
    }

    /**
     * Runs it to its end. Any thread may call; an interrupt kills the program.
     *
     * @throws TimeoutException if it was killed at the deadline, a {@link Late}
     * @throws IOException if it cannot be started
     */
    public Result run() throws IOException, TimeoutException, InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        return run(_ -> () -> end - System.nanoTime());
    }

    /**
     * Runs it to its end like {@link #run}, but the deadline begins anew while it works.
     *
     * @param whose whose work counts
     * @param longest how long all of it may last
     */
    public Result runWhileWorking(Vigil.Whose whose, Duration longest)
            throws IOException, TimeoutException, InterruptedException {
        return run(
                process -> {
                    var vigil = new Vigil(process.toHandle(), whose, deadline, longest);
                    return vigil::nanosToWait;
                });
    }

    private Result run(Function<Process, LongSupplier> patience)
            throws IOException, TimeoutException, InterruptedException {
        var process = start();
        var nanosToWait = patience.apply(process);
        var stdout = capture(process.getInputStream());
        var stderr = capture(process.getErrorStream());
        try {
            for (long nanos = nanosToWait.getAsLong();
                    !process.waitFor(nanos, TimeUnit.NANOSECONDS);
                    nanos = nanosToWait.getAsLong()) {
                if (nanos <= 0) {
                    throw new Late(command + " was killed after " + deadline, process);
                }
            }
            return new Result(process.exitValue(), await(stdout), await(stderr));
        } finally {
            kill(process);
        }
    }

    private Process start() throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    /** Reads to the end, so that the program never blocks on a full pipe. */
    private CompletableFuture<ByteArrayOutputStream> capture(InputStream in) {
        var kept = new CompletableFuture<ByteArrayOutputStream>();
        Thread.ofVirtual()
                .name("output of " + command.getFirst())
                .start(
                        () -> {
                            try (in) {
                                kept.complete(readAll(in));
                            } catch (IOException e) {
                                kept.completeExceptionally(e);
                            }
                        });
        return kept;
    }

    private ByteArrayOutputStream readAll(InputStream in) throws IOException {
        var out = new ByteArrayOutputStream();
        var buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, Math.min(n, maxOutputBytes - out.size()));
        }
        return out;
    }

    private static String await(CompletableFuture<ByteArrayOutputStream> output)
            throws IOException, InterruptedException {
        try {
            return output.get(DRAIN.toMillis(), TimeUnit.MILLISECONDS)
                    .toString(StandardCharsets.UTF_8);
        } catch (TimeoutException e) {
            return ""; // a daemon it left behind holds the pipe; what it printed is not ours
        } catch (ExecutionException e) {
            throw new IOException("its output cannot be read: " + e.getCause(), e.getCause());
        }
    }

    /**
     * Returns once the program is dead, so that what it did can be examined, unless it hangs in the
     * kernel.
     */
    private static void kill(Process process) throws InterruptedException {
        if (process.isAlive()) {
            var family = process.descendants().toList(); // before it dies and they are adopted
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
            process.waitFor(DEATH_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
