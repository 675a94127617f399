package lvms.node.lvmd;

import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.proto.health.v1.HealthCheckRequest;
import lvms.proto.health.v1.HealthCheckResponse;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.health.v1.HealthGrpc.HealthImplBase;

/**
 * {@code grpc.health.v1.Health}: an lvmd that answers is healthy, whatever service the request
 * names.
 */
public final class HealthService extends HealthImplBase {
    private static final HealthCheckResponse SERVING =
            HealthCheckResponse.newBuilder().setStatus(ServingStatus.SERVING).build();

    private final Calls calls;

    public HealthService(Calls calls) {
        this.calls = calls;
    }

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
        calls.answer("Check", answer, _ -> SERVING);
    }
}
