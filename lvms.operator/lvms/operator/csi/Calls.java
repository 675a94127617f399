package lvms.operator.csi;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs calls of the CSI service, each on the thread it came on: with a deadline, ended by the
 * caller's cancellation, and with every failure as a gRPC status.
 */
public final class Calls {
    private static final System.Logger LOG = System.getLogger(Calls.class.getName());
    private static final Duration NO_DEADLINE = Duration.ofMinutes(2);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final double[] SECONDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};

    private final String driver;
    private final BooleanSupplier ready;
    private final Family<Histogram> seconds;

    public Calls(String driver, BooleanSupplier ready, MetricsRegistry metrics) {
        this.driver = driver;
        this.ready = ready;
        this.seconds =
                metrics.histogram(
                        "csi_plugin_operations_seconds",
                        "Duration of calls of the CSI service.",
                        SECONDS,
                        "driver_name",
                        "method_name",
                        "grpc_status_code");
    }

    /** What a call does. */
    @FunctionalInterface
    public interface Work<R> {
        R run(Duration timeout) throws VolumeException, ApiException, InterruptedException;
    }

    public <R> void answer(String method, StreamObserver<R> observer, Work<R> work) {
        long start = System.nanoTime();
        var status = run(observer, work);
        seconds.with(driver, "/csi.v1.Controller/" + method, status.getCode().name())
                .observeSince(start);
        if (!status.isOk()) {
            LOG.log(DEBUG, () -> "call failed method=" + method + " status=" + status);
            observer.onError(status.asRuntimeException());
        }
    }

    private <R> Status run(StreamObserver<R> observer, Work<R> work) {
        if (!ready.getAsBoolean()) {
            return Status.UNAVAILABLE.withDescription("the caches are not filled yet");
        }
        var context = Context.current();
        var caller = Thread.currentThread();
        Context.CancellationListener interrupt = _ -> caller.interrupt();
        context.addListener(interrupt, Runnable::run);
        try {
            var answer = work.run(timeout(context));
            observer.onNext(answer);
            observer.onCompleted();
            return Status.OK;
        } catch (VolumeException e) {
            return Status.fromCodeValue(e.code().number()).withDescription(e.getMessage());
        } catch (ApiException e) {
            return statusOf(e);
        } catch (InterruptedException _) { // the thread ends with the call, so nobody misses it
            return Status.CANCELLED.withDescription("the caller gave up");
        } catch (RuntimeException e) {
            LOG.log(ERROR, "a call met a bug", e);
            return Status.INTERNAL.withDescription(e.toString());
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

    static Status statusOf(ApiException failure) {
        var status =
                switch (failure) {
                    case ApiException.Conflict _ -> Status.ABORTED;
                    case ApiException.TooManyRequests _,
                            ApiException.ServerError _,
                            ApiException.Unreachable _ ->
                            Status.UNAVAILABLE;
                    case ApiException.NotFound _,
                            ApiException.AlreadyExists _,
                            ApiException.Gone _,
                            ApiException.Invalid _,
                            ApiException.BadRequest _,
                            ApiException.Forbidden _,
                            ApiException.Unauthorized _,
                            ApiException.Unsupported _ ->
                            Status.INTERNAL;
                };
        return status.withDescription(failure.getMessage());
    }
}
