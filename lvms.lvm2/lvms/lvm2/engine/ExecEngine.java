package lvms.lvm2.engine;

import lvms.lvm2.Deadlines;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.system.Program;
import lvms.lvm2.system.Vigil.Whose;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/** Runs the {@code lvm} program once for each command, possibly through nsenter. */
public final class ExecEngine implements Engine {
    /** Room for a report of tens of thousands of volumes. */
    private static final int MAX_OUTPUT_BYTES = 256 << 20;

    private static final int SIGNALLED = 128;

    /** How long a change may take whose helpers are at work. */
    static final Duration LONGEST = Deadlines.DEFAULT.copy();

    private final List<String> prefix;
    private final Map<String, String> environment;
    private final String reason;
    private volatile String version = "";

    /**
     * An engine that runs {@code prefix} followed by the words of a command.
     *
     * @param prefix words that run the program
     * @param environment variables to set
     * @param reason why this engine is used
     */
    public ExecEngine(List<String> prefix, Map<String, String> environment, String reason) {
        this.prefix = List.copyOf(prefix);
        this.environment = Map.copyOf(environment);
        this.reason = reason;
    }

    /** Runs {@code lvm version} to see whether the program runs and is new enough. */
    public ExecEngine tested() throws LvmException, InterruptedException {
        var reply = run(new Command(Command.Effect.READ, List.of("version")));
        var found = LvmVersion.find(reply.stdout());
        if (found.isEmpty()) {
            throw new LvmException.Unavailable(
                    prefix + " version: status " + reply.status() + " " + reply.stderr(), null);
        }
        var tooOld = found.get().olderThan(LvmVersion.FOR_EXEC);
        if (tooOld.isPresent()) {
            throw new LvmException.Unavailable(prefix + ": " + tooOld.get(), null);
        }
        version = found.get().text();
        return this;
    }

    @Override
    public Reply run(Command command) throws LvmException, InterruptedException {
        var words = new ArrayList<>(prefix);
        words.addAll(command.words());
        var program = new Program(words, command.deadline(), MAX_OUTPUT_BYTES, environment);
        if (command.effect() == Command.Effect.READ) {
            return reply(command, program::run);
        }
        return uncut(command, program);
    }

    @Override
    public EngineStatus status() {
        return new EngineStatus(EngineStatus.Kind.EXEC, reason, version);
    }

    @Override
    public void close() {
        // nothing is kept between commands
    }

    /** A change runs to its end on a thread of its own; the caller stays interrupted. */
    private static Reply uncut(Command command, Program program)
            throws LvmException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        var task = new FutureTask<>(() -> program.runWhileWorking(Whose.HELPERS, LONGEST));
        Thread.ofVirtual().name("lvm " + command.words().getFirst()).start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reply(command, () -> outcome(task));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Program.Result outcome(FutureTask<Program.Result> task) throws Exception {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Reply reply(Command command, Callable<Program.Result> run)
            throws LvmException, InterruptedException {
        Program.Result result;
        try {
            result = run.call();
        } catch (IOException e) {
            throw new LvmException.Unavailable(command + ": " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw died(command, "killed after " + command.deadline() + " without progress", e);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        if (result.status() >= SIGNALLED) {
            throw died(command, "ended with status " + result.status(), null);
        }
        return new Reply(result.status(), result.stdout(), result.stderr());
    }

    static LvmException died(Command command, String how, Throwable cause) {
        return command.effect() == Command.Effect.READ
                ? new LvmException.Unavailable(command + ": " + how, cause)
                : new LvmException.OutcomeUnknown(command + ": " + how, cause);
    }
}
