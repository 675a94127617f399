package lvms.lvm2.engine;

import lvms.lvm2.ffi.OwnSession;
import lvms.lvm2.system.Vigil;
import lvms.lvm2.system.Vigil.Whose;
import lvms.lvm2.worker.Frames;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * One running worker; used by one thread at a time.
 *
 * <p>Its own thread talks to it: if the process was killed but still waits for a device in the
 * kernel, it holds the pipe open, and nothing else would end the read.
 */
final class WorkerProcess {
    private static final Duration START_DEADLINE = Duration.ofSeconds(30);
    private static final Duration DEATH_WAIT = Duration.ofSeconds(1);
    private static final int MAX_COMMANDS = 5_000;
    private static final long MAX_RESIDENT_BYTES = 384L << 20;
    private static final int INITIALIZATION_FAILED = 4;

    private final Process process;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final ExecutorService talk;
    private final String version;
    private final Optional<String> asynchronous;
    private int commands;
    private boolean suspicious;
    private long idleSince = System.nanoTime();

    private WorkerProcess(Process process, boolean synchronous) throws IOException {
        this.process = process;
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        this.out = new DataOutputStream(process.getOutputStream());
        this.talk =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform()
                                .daemon()
                                .stackSize(256 << 10)
                                .name("lvm-worker-" + process.pid())
                                .factory());
        try {
            this.version = version(hello());
            var why = synchronous ? hello().stderrText() : "";
            this.asynchronous = Optional.of(why).filter(text -> !text.isEmpty());
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            talk.shutdown();
            throw e;
        }
    }

    /**
     * Starts a worker and waits until it can work.
     *
     * @throws IOException saying why it cannot
     */
    static WorkerProcess start(WorkerLaunch launch) throws IOException {
        return new WorkerProcess(launch.start(), launch.synchronous());
    }

    private Frames.Answer hello() throws IOException {
        try {
            return within(fixed(START_DEADLINE), START_DEADLINE, () -> Frames.readAnswer(in));
        } catch (IOException e) {
            throw new IOException("no worker: " + e.getMessage() + lastWords(), e);
        }
    }

    /** Reads the first answer of a worker: which LVM it has, or why it has none. */
    static String version(Frames.Answer answer) throws IOException {
        if (answer.status() == Frames.UNUSABLE) {
            throw new IOException("no worker: " + answer.stderrText());
        }
        var said = answer.stdoutText();
        var version = LvmVersion.find(said);
        if (version.isEmpty()) {
            throw new IOException(
                    "no worker: unknown LVM version: " + said + " " + answer.stderrText());
        }
        var tooOld = version.get().olderThan(LvmVersion.FOR_WORKERS);
        if (tooOld.isPresent()) {
            throw new IOException("no worker: " + tooOld.get());
        }
        return version.get().text();
    }

    /** What the JVM printed before the worker took over its error output. */
    private String lastWords() {
        if (process.isAlive()) {
            return ""; // in the kernel: its output would not end
        }
        try {
            var bytes = process.getErrorStream().readNBytes(4096);
            var text = new String(bytes, StandardCharsets.UTF_8);
            return text.isBlank() ? "" : " (" + text.strip() + ")";
        } catch (IOException _) { // the JDK closes the outputs of what it kills
            return "";
        }
    }

    /**
     * Runs a command, given as a line. The deadline of a change begins anew while programs are at
     * work that LVM started for it.
     *
     * @throws NotSent if the worker was gone before it had the command
     * @throws Late if it was killed at the deadline
     * @throws IOException if it died; it cannot be used any more in any of these cases
     */
    Reply run(String commandLine, Command command) throws IOException {
        commands++;
        var deadline = command.deadline();
        var answer =
                within(
                        command.effect() == Command.Effect.READ
                                ? fixed(deadline)
                                : whileHelpersWork(deadline),
                        deadline,
                        () -> {
                            send(commandLine);
                            return Frames.readAnswer(in);
                        });
        idleSince = System.nanoTime();
        int status = answer.status() == 1 ? 0 : answer.status(); // lvm2_run says 1 for success
        var reply = new Reply(status, answer.stdoutText(), answer.stderrText(), answer.nanos());
        suspicious =
                status == INITIALIZATION_FAILED
                        || reply.stderr().contains("Internal error")
                        || lacksModule(reply);
        return reply;
    }

    /** The library never looks again for a module that it missed, but the module may come later. */
    private static boolean lacksModule(Reply reply) {
        return reply.status() != 0
                && (reply.stdout() + reply.stderr()).contains("not detected in your kernel");
    }

    /** It ended without an answer. */
    static class Death extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient Process process;

        private Death(String message, Process process, Throwable cause) {
            super(message, cause);
            this.process = process;
        }

        /** Completes when the process ends; empty if it has ended, and is not in the kernel. */
        Optional<CompletableFuture<Process>> end() {
            return process.isAlive() ? Optional.of(process.onExit()) : Optional.empty();
        }
    }

    /** The worker was gone before it had the command: nothing was done. */
    static final class NotSent extends IOException {
        private static final long serialVersionUID = 1L;

        private NotSent(IOException cause) {
            super("the worker was gone: " + cause.getMessage(), cause);
        }
    }

    /** It did not answer before its deadline, and was killed. */
    static final class Late extends Death {
        private static final long serialVersionUID = 1L;

        private Late(Duration deadline, String end, Process process, TimeoutException cause) {
            super("the worker was killed after " + deadline + ", " + end, process, cause);
        }
    }

    private void send(String commandLine) throws IOException {
        try {
            Frames.writeCommandLine(out, commandLine);
        } catch (IOException e) {
            throw new NotSent(e); // it starts only when it has read the whole frame
        }
    }

    private static LongSupplier fixed(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        return () -> end - System.nanoTime();
    }

    private LongSupplier whileHelpersWork(Duration deadline) {
        var vigil = new Vigil(process.toHandle(), Whose.HELPERS, deadline, ExecEngine.LONGEST);
        return vigil::nanosToWait;
    }

    private <T> T within(LongSupplier nanosToWait, Duration deadline, Callable<T> exchange)
            throws IOException {
        var answer = talk.submit(exchange);
        try {
            return await(answer, nanosToWait);
        } catch (TimeoutException e) {
            throw new Late(deadline, killed(), process, e);
        } catch (ExecutionException e) {
            var end = killed();
            if (e.getCause() instanceof NotSent notSent) {
                throw notSent;
            }
            throw new Death("the worker died, " + end, process, e.getCause());
        }
    }

    /** An interrupt does not stop a running command; the caller stays interrupted. */
    private static <T> T await(Future<T> answer, LongSupplier nanosToWait)
            throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                long nanos = nanosToWait.getAsLong();
                try {
                    return answer.get(nanos, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    if (nanos <= 0) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Kills the process, since nobody can talk to it any more, and the programs that it started,
     * which would go on without its lock. That may take long while they are inside the kernel.
     */
    private String killed() {
        process.destroyForcibly();
        OwnSession.kill(process.pid());
        talk.shutdown();
        boolean interrupted = Thread.interrupted();
        try {
            boolean ended = process.waitFor(DEATH_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            return ended ? "status " + process.exitValue() : "but is still in the kernel";
        } catch (InterruptedException e) {
            interrupted = true;
            return "and may still be in the kernel";
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Returns the version that LVM reports. */
    String version() {
        return version;
    }

    /** Returns why LVM's I/O is as the machine configured it, although it should not be. */
    Optional<String> asynchronous() {
        return asynchronous;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Returns whether a fresh one should replace it, because it is old, has grown, or is not well.
     */
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

    /** Lets it end; no command is running. */
    void stop() {
        talk.shutdown();
        try {
            out.close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
    }

    /** Waits for its end after {@link #stop}, at most so long. */
    void awaitEnd(long nanos) {
        try {
            process.waitFor(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
