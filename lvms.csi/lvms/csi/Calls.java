package lvms.csi;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The frame of every gRPC call that we answer: work runs on the thread that the call came on, gets
 * the caller's deadline, is interrupted when the caller gives up, and ends in an answer or in a
 * status. {@link CallMetrics} counts what comes out.
 *
 * <p>A refusal that the caller can act on is logged at DEBUG, any other failure at WARNING, and
 * only a bug at ERROR. Any thread may call.
 */
public final class Calls {
    private static final System.Logger LOG = System.getLogger(Calls.class.getName());
    private static final Duration NO_DEADLINE = Duration.ofMinutes(2);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final String server;
    private final Supplier<Optional<String>> obstacle;
    private final Failures failures;

    private Calls(String server, Supplier<Optional<String>> obstacle, Failures failures) {
        this.server = server;
        this.obstacle = obstacle;
        this.failures = failures;
    }

    /**
     * Prepares the calls of a server that is always ready and fails only with {@link
     * VolumeException}.
     *
     * @param server name of the server in the message that the caller gets when the server ends
     */
    public static Calls of(String server) {
        return new Calls(server, Optional::empty, _ -> Optional.empty());
    }

    /** Returns the same calls for work that can also fail in other ways. */
    public Calls withFailures(Failures failures) {
        return new Calls(server, obstacle, failures);
    }

    /**
     * Returns the same calls for a server that is not ready from the start.
     *
     * @param obstacle asked at each call, so it must not block: why calls cannot be served yet,
     *     empty if they can; the caller gets it with UNAVAILABLE
     */
    public Calls withObstacle(Supplier<Optional<String>> obstacle) {
        return new Calls(server, obstacle, failures);
    }

    /** What a call does. */
    @FunctionalInterface
    public interface Work<R> {
        /**
         * Does the work on the thread of the call.
         *
         * @param timeout how long the caller waits; zero or less if it waits no longer
         */
        R run(Duration timeout) throws Exception;
    }

    /** The codes of the checked exceptions that the work of a service ends with. */
    @FunctionalInterface
    public interface Failures {
        /** Returns the code; empty for an unforeseen exception, which becomes INTERNAL. */
        Optional<StatusCode> codeOf(Exception failure);
    }

    /**
     * Does the work and sends its result, or the status of its failure.
     *
     * @param call method and what it is about, for the log
     */
    public <R> void answer(String call, StreamObserver<R> observer, Work<R> work) {
        R result;
        try {
            result = run(work);
        } catch (Exception | Error e) {
            observer.onError(failure(call, e));
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        observer.onNext(result);
        observer.onCompleted();
    }

    private <R> R run(Work<R> work) throws Exception {
        var why = obstacle.get();
        if (why.isPresent()) {
            throw new VolumeException(StatusCode.UNAVAILABLE, why.get());
        }
        var context = Context.current();
        var caller = Thread.currentThread();
        Context.CancellationListener interrupt = _ -> caller.interrupt();
        context.addListener(interrupt, Runnable::run);
        try {
            return work.run(timeout(context));
        } finally {
            context.removeListener(interrupt);
        }
    }

    private static Duration timeout(Context context) {
        var deadline = context.getDeadline();
        if (deadline == null) {
            return NO_DEADLINE;
        }
        var left = Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
        return left.compareTo(LONGEST) > 0 ? LONGEST : left;
    }

    /**
     * Logs why a call has no result and returns what its caller is told; for streams, which send
     * their answers themselves. Call it in the context of the call.
     */
    public StatusException failure(String call, Throwable failure) {
        return switch (failure) {
            case VolumeException e -> refused(call, e.code(), e.getMessage());
            case InterruptedException _ ->
                    Context.current().isCancelled()
                            ? told(DEBUG, call, StatusCode.CANCELLED, "the caller gave up")
                            : told(DEBUG, call, StatusCode.UNAVAILABLE, server + " ends");
            case RuntimeException bug -> bug(call, bug);
            case Exception e ->
                    failures.codeOf(e)
                            .map(code -> refused(call, code, e.getMessage()))
                            .orElseGet(() -> refused(call, StatusCode.INTERNAL, e.toString()));
            case Throwable bug -> bug(call, bug);
        };
    }

    private static StatusException refused(String call, StatusCode code, String why) {
        return told(level(code), call, code, why);
    }

    private static StatusException told(Level level, String call, StatusCode code, String why) {
        LOG.log(level, () -> "call failed call=\"" + call + "\" code=" + code + ": " + why);
        return Status.fromCodeValue(code.number()).withDescription(why).asException();
    }

    private static StatusException bug(String call, Throwable bug) {
        LOG.log(ERROR, "call failed by a bug of lvms call=\"" + call + '"', bug);
        return Status.INTERNAL.withDescription(bug.toString()).asException();
    }

    private static Level level(StatusCode code) {
        return switch (code) {
            // the caller's own doing, or something that it repeats as a matter of course
            case OK,
                    CANCELLED,
                    INVALID_ARGUMENT,
                    DEADLINE_EXCEEDED,
                    NOT_FOUND,
                    ABORTED,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED ->
                    DEBUG;
            case UNKNOWN,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    INTERNAL,
                    UNAVAILABLE,
                    DATA_LOSS,
                    UNAUTHENTICATED ->
                    WARNING;
        };
    }
}
