package lvms.tests.bench.k8s;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that answers lines with lines. It ends with its input, when this is closed. */
final class Peer implements AutoCloseable {
    private static final int LIMIT_MINUTES = 10; // of one answer

    private final String name;
    private final Process process;
    private final BufferedReader out;

    /** Starts a process whose errors go to {@code out/bench/k8s/NAME.log}. */
    Peer(String name, List<String> command) throws IOException {
        this.name = name;
        process =
                new ProcessBuilder(command)
                        .redirectError(new File("out/bench/k8s/" + name + ".log"))
                        .start();
        out = process.inputReader();
    }

    void say(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** Waits for a line that begins with a word, and returns its numbers. */
    long[] await(String word) throws Exception {
        try {
            return CompletableFuture.supplyAsync(() -> next(word))
                    .get(LIMIT_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    name + " never said " + word + ": see out/bench/k8s/" + name + ".log", e);
        }
    }

    private long[] next(String word) {
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                var words = List.of(line.split(" "));
                if (words.getFirst().equals(word)) {
                    return words.stream().skip(1).mapToLong(Long::parseLong).toArray();
                }
            }
            throw new IllegalStateException(name + " ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the most resident memory that it has had so far, in bytes. */
    long peakBytes() throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IllegalStateException("no VmHWM in /proc/PID/status");
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        process.onExit().join();
    }
}
