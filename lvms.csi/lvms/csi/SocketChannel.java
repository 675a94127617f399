package lvms.csi;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A client's side of a gRPC socket. It connects again after a loss. Any thread may call. */
public final class SocketChannel implements AutoCloseable {
    /**
     * Takes an option away again. gRPC asks for TCP's keepalive whatever the socket is, and Netty
     * warns of it at each connection.
     */
    static final Boolean UNSET = null;

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;

    /** Prepares a channel, which connects at its first call. */
    public SocketChannel(Path socket) {
        channel =
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .channelType(EpollDomainSocketChannel.class)
                        .eventLoopGroup(loop)
                        .overrideAuthority("localhost")
                        .withOption(ChannelOption.SO_KEEPALIVE, UNSET)
                        .usePlaintext()
                        .build();
    }

    /** Returns what stubs are made from. */
    public ManagedChannel grpc() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
