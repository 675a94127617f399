package lvms.node.lvmd;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.MetricsRegistry;

/** Counts the calls that ended, by method and code, under the name that gRPC servers use. */
final class CallMetrics implements ServerInterceptor {
    private final Family<Counter> handled;

    CallMetrics(MetricsRegistry metrics) {
        handled =
                metrics.counter(
                        "grpc_server_handled_total",
                        "Calls that ended, by service, method and code.",
                        "grpc_service",
                        "grpc_method",
                        "grpc_code");
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var method = call.getMethodDescriptor();
        var counted =
                new SimpleForwardingServerCall<Q, A>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        handled.with(
                                        method.getServiceName(),
                                        method.getBareMethodName(),
                                        status.getCode().name())
                                .increment();
                        super.close(status, trailers);
                    }
                };
        return next.startCall(counted, headers);
    }
}
