package lvms.csi;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;

import lvms.k8s.metrics.MetricsRegistry;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Measures each call of a socket when it ends, with its code. Streams count too, and so do calls of
 * methods that a service does not implement.
 */
public final class CallMetrics implements ServerInterceptor {
    private static final double[] SECONDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};

    private final Ended ended;

    private CallMetrics(Ended ended) {
        this.ended = ended;
    }

    private interface Ended {
        void observe(MethodDescriptor<?, ?> method, String code, long startNanos);
    }

    /** Measures durations, with the name and labels that the CSI sidecars use. */
    public static CallMetrics ofDriver(String driver, MetricsRegistry metrics) {
        var seconds =
                metrics.histogram(
                        "csi_plugin_operations_seconds",
                        "Duration of calls of the CSI services.",
                        SECONDS,
                        "driver_name",
                        "method_name",
                        "grpc_status_code");
        return new CallMetrics(
                (method, code, start) ->
                        seconds.with(driver, "/" + method.getFullMethodName(), code)
                                .observeSince(start));
    }

    /** Counts calls, with the name and labels that gRPC servers use. */
    public static CallMetrics ofServer(MetricsRegistry metrics) {
        var handled =
                metrics.counter(
                        "grpc_server_handled_total",
                        "Calls that ended, by service, method and code.",
                        "grpc_service",
                        "grpc_method",
                        "grpc_code");
        return new CallMetrics(
                (method, code, _) ->
                        handled.with(method.getServiceName(), method.getBareMethodName(), code)
                                .increment());
    }

    /** Returns the code as Go's gRPC writes it, and so every dashboard: {@code NotFound}. */
    static String name(Status.Code code) {
        return switch (code) {
            case OK -> "OK";
            case CANCELLED -> "Canceled";
            default ->
                    Arrays.stream(code.name().split("_"))
                            .map(
                                    word ->
                                            word.charAt(0)
                                                    + word.substring(1).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining());
        };
    }

    /** Returns the same services, measured. */
    public List<BindableService> over(List<? extends BindableService> services) {
        return services.stream()
                .<BindableService>map(service -> () -> ServerInterceptors.intercept(service, this))
                .toList();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        long start = System.nanoTime();
        var measured =
                new SimpleForwardingServerCall<Q, A>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        ended.observe(getMethodDescriptor(), name(status.getCode()), start);
                        super.close(status, trailers);
                    }
                };
        return next.startCall(measured, headers);
    }
}
