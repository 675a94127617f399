package lvms.node.lvmd;

import io.grpc.stub.StreamObserver;

import lvms.proto.health.v1.HealthCheckRequest;
import lvms.proto.health.v1.HealthCheckResponse;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.health.v1.HealthGrpc.HealthImplBase;

/** {@code grpc.health.v1.Health}: an lvmd that answers is well, whatever service is asked about. */
final class HealthService extends HealthImplBase {
    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
        answer.onNext(HealthCheckResponse.newBuilder().setStatus(ServingStatus.SERVING).build());
        answer.onCompleted();
    }
}
