package lvms.tests.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A program in the background, which ends when this JVM does, whatever way that ends. Not for
 * several threads at once.
 */
final class Daemon implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(10);

    /** Waits for the program, and kills it when the pipe from the JVM closes. */
    private static final String KEEPER =
            """
            exec 3<&0
            log=$1
            shift
            "$@" </dev/null >>"$log" 2>&1 3<&- &
            program=$!
            echo $program
            exec >&-
            (read -r _ <&3; kill -s KILL $program) &
            reader=$!
            wait $program
            kill $reader
            """;

    private final List<String> command;
    private final Path log;
    private Optional<Process> keeper = Optional.empty();
    private String pid = "";

    /** Describes a program, both outputs of which are added to the log. */
    Daemon(List<String> command, Path log) {
        this.command = List.copyOf(command);
        this.log = log;
    }

    /** Starts a program. */
    static Daemon start(List<String> command, Path log) throws IOException {
        var daemon = new Daemon(command, log);
        daemon.start();
        return daemon;
    }

    /** Starts it again, with the same arguments, if it does not run. */
    void start() throws IOException {
        if (runs()) {
            return;
        }
        var words = new ArrayList<>(List.of("sh", "-c", KEEPER, "keeper", log.toString()));
        words.addAll(command);
        var started =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        pid = started.inputReader().readLine();
        if (pid == null) {
            throw new IOException("cannot start " + command);
        }
        keeper = Optional.of(started);
    }

    /**
     * Whether it runs, be it stopped. The keeper ends as soon as nothing of the program is left.
     */
    boolean runs() {
        return keeper.filter(Process::isAlive).isPresent();
    }

    /** Returns the file of its output. */
    Path log() {
        return log;
    }

    /** Sends a signal, such as {@code STOP}. */
    void signal(String name) throws IOException {
        if (!runs()) {
            throw new IOException(command.getFirst() + " does not run: see " + log);
        }
        var words = "kill -s " + name + " " + pid;
        try {
            int status = new ProcessBuilder("sh", "-c", words).start().waitFor();
            if (status != 0) {
                throw new IOException(words + ": status " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(words);
        }
    }

    /** Names the program and its log. */
    @Override
    public String toString() {
        return log.getFileName().toString().replace(".log", "") + " (" + log + ")";
    }

    /** Ends it without a farewell and waits for the end. */
    void kill() throws IOException {
        if (!runs()) {
            return;
        }
        signal("KILL");
        try {
            if (!keeper.orElseThrow().waitFor(END)) {
                throw new IOException(this + " survives SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(toString());
        }
    }

    @Override
    public void close() throws IOException {
        kill();
    }
}
