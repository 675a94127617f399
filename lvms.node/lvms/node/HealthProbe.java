package lvms.node;

import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;

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
        var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var channel =
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .channelType(EpollDomainSocketChannel.class)
                        .eventLoopGroup(loop)
                        .overrideAuthority("localhost")
                        .usePlaintext()
                        .build();
        try {
            var status =
                    HealthGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus();
            return status == ServingStatus.SERVING
                    ? Optional.empty()
                    : Optional.of("lvmd on " + socket + " reports " + status);
        } catch (StatusRuntimeException e) {
            return Optional.of("no lvmd answers on " + socket + ": " + e.getMessage());
        } finally {
            channel.shutdownNow();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
