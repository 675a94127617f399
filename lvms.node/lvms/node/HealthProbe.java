package lvms.node;

import io.grpc.StatusRuntimeException;

import lvms.csi.SocketChannel;
import lvms.proto.health.v1.HealthCheckRequest;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.health.v1.HealthGrpc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks an lvmd whether it serves; TopoLVM's manifests use this as their liveness probe. */
public final class HealthProbe {
    private HealthProbe() {}

    /** Returns what is wrong, in one line; empty if the lvmd on that socket serves. */
    public static Optional<String> of(Path socket, Duration deadline) {
        try (var channel = new SocketChannel(socket)) {
            var status =
                    HealthGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus();
            return status == ServingStatus.SERVING
                    ? Optional.empty()
                    : Optional.of("lvmd on " + socket + " reports " + status);
        } catch (StatusRuntimeException e) {
            return Optional.of("no lvmd answers on " + socket + ": " + e.getMessage());
        }
    }
}
