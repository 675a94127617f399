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

import java.util.List;

/**
 * Measures each call of a socket when it ends, with its code. Streams count too, and so do calls of
 * methods that a service does not implement.
 */
public final class CallMetrics implements ServerInterceptor {
    private final Ended ended;

    private CallMetrics(Ended ended) {
        this.ended = ended;
    }

    private interface Ended {
        void observe(MethodDescriptor<?, ?> method, Status.Code code, long startNanos);
    }

    /** Measures durations, with the name and labels that the CSI sidecars use. */
    public static CallMetrics ofDriver(String driver, MetricsRegistry metrics) {
        var durations = CallDurations.ofPlugin(driver, metrics);
        return new CallMetrics(durations::observe);
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
                        handled.with(
                                        method.getServiceName(),
                                        method.getBareMethodName(),
                                        CallDurations.name(code))
                                .increment());
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
                        ended.observe(getMethodDescriptor(), status.getCode(), start);
                        super.close(status, trailers);
                    }
                };
        return next.startCall(measured, headers);
    }
}
