package lvms.lvm2.engine;

import lvms.lvm2.worker.Frames;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One running worker; used by one thread at a time. */
final class WorkerProcess {
    private static final Duration START_DEADLINE = Duration.ofSeconds(30);
    private static final Duration DEATH_WAIT = Duration.ofSeconds(5);
    private static final int MAX_COMMANDS = 5_000;
    private static final long MAX_RESIDENT_BYTES = 384L << 20;
    private static final int INITIALIZATION_FAILED = 4;

    private final Process process;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final ScheduledExecutorService clock;
    private final String version;
    private int commands;
    private boolean suspicious;
    private long idleSince = System.nanoTime();

    private WorkerProcess(Process process, ScheduledExecutorService clock) throws IOException {
        this.process = process;
        this.clock = clock;
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        this.out = new DataOutputStream(process.getOutputStream());
        this.version = hello();
    }

    /**
     * Starts a worker and waits until it can work.
     *
     * @throws IOException saying why it cannot
     */
    static WorkerProcess start(WorkerLaunch launch, ScheduledExecutorService clock)
            throws IOException {
        var process = launch.start();
        try {
            return new WorkerProcess(process, clock);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private String hello() throws IOException {
        Frames.Answer answer;
        try {
            answer = within(START_DEADLINE, () -> Frames.readAnswer(in));
        } catch (IOException e) {
            throw new IOException("no worker: " + e.getMessage() + lastWords(), e);
        }
        if (answer.status() == Frames.UNUSABLE) {
            throw new IOException("no worker: " + answer.stderrText());
        }
        return LvmVersion.find(answer.stdoutText())
                .map(LvmVersion::text)
                .orElseThrow(
                        () ->
                                new IOException(
                                        "no worker: unknown LVM version: "
                                                + answer.stdoutText()
                                                + answer.stderrText()));
    }

    /** What the JVM printed before the worker took its error output over. */
    private String lastWords() throws IOException {
        process.destroyForcibly();
        var text = new String(process.getErrorStream().readNBytes(4096), StandardCharsets.UTF_8);
        return text.isBlank() ? "" : " (" + text.strip() + ")";
    }

    /**
     * Runs a command line.
     *
     * @throws IOException if the worker died, or was killed at the deadline; it is of no use then
     */
    Reply run(String commandLine, Duration deadline) throws IOException {
        commands++;
        var answer =
                within(
                        deadline,
                        () -> {
                            send(commandLine);
                            return Frames.readAnswer(in);
                        });
        idleSince = System.nanoTime();
        int status = answer.status() == 1 ? 0 : answer.status(); // lvm2_run says 1 for success
        suspicious =
                status == INITIALIZATION_FAILED || answer.stderrText().contains("Internal error");
        return new Reply(status, answer.stdoutText(), answer.stderrText());
    }

    /** The worker was gone before it had the command: nothing was done. */
    static final class NotSent extends IOException {
        private static final long serialVersionUID = 1L;

        private NotSent(IOException cause) {
            super("the worker was gone: " + cause.getMessage(), cause);
        }
    }

    private void send(String commandLine) throws IOException {
        try {
            Frames.writeCommandLine(out, commandLine);
        } catch (IOException e) {
            throw new NotSent(e); // it starts only when it has read the whole frame
        }
    }

    private interface Exchange<T> {
        T make() throws IOException;
    }

    private <T> T within(Duration deadline, Exchange<T> exchange) throws IOException {
        var late = new AtomicBoolean();
        var alarm =
                clock.schedule(
                        () -> {
                            late.set(true);
                            process.destroyForcibly();
                        },
                        deadline.toMillis(),
                        TimeUnit.MILLISECONDS);
        try {
            return exchange.make();
        } catch (NotSent e) {
            process.destroyForcibly();
            throw e;
        } catch (IOException e) {
            throw late.get() ? new IOException("killed after " + deadline, e) : dead(e);
        } finally {
            alarm.cancel(false);
        }
    }

    /** It is killed, since nobody can talk to it any more; inside the kernel that may take long. */
    private IOException dead(IOException cause) {
        process.destroyForcibly();
        boolean interrupted = Thread.interrupted();
        try {
            boolean ended = process.waitFor(DEATH_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            var status = ended ? "status " + process.exitValue() : "but is still in the kernel";
            return new IOException("the worker died, " + status, cause);
        } catch (InterruptedException e) {
            interrupted = true;
            return new IOException("the worker died", cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Returns what LVM says of itself. */
    String version() {
        return version;
    }

    long pid() {
        return process.pid();
    }

    /** Returns whether it should make room for a fresh one: old, grown, or not well. */
    boolean worn() {
        return suspicious || commands >= MAX_COMMANDS || residentBytes() > MAX_RESIDENT_BYTES;
    }

    boolean idleFor(Duration time) {
        return System.nanoTime() - idleSince >= time.toNanos();
    }

    private long residentBytes() {
        try {
            var statm = Files.readString(Path.of("/proc", Long.toString(pid()), "statm"));
            return Long.parseLong(statm.split(" ")[1]) * 4096;
        } catch (IOException e) {
            return 0; // it is gone, which the next command will find out
        }
    }

    /** Lets it end; it has no command. */
    void stop() {
        try {
            out.close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
    }
}
