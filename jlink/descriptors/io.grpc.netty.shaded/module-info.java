/** The transport of gRPC: Netty under a name of its own, with Unix sockets through epoll. */
module io.grpc.netty.shaded {
    requires java.logging;
    requires static com.google.errorprone.annotations;
    requires static java.naming;
    requires static jdk.jfr;
    requires static jdk.unsupported;
    requires com.google.common;
    requires io.grpc;
    requires io.grpc.internal;
    requires io.grpc.util;
    requires io.perfmark;

    exports io.grpc.netty.shaded.io.grpc.netty;
    exports io.grpc.netty.shaded.io.netty.buffer;
    exports io.grpc.netty.shaded.io.netty.channel;
    exports io.grpc.netty.shaded.io.netty.channel.epoll;
    exports io.grpc.netty.shaded.io.netty.channel.unix;
    exports io.grpc.netty.shaded.io.netty.util;
    exports io.grpc.netty.shaded.io.netty.util.concurrent;

    provides io.grpc.ManagedChannelProvider with
            io.grpc.netty.shaded.io.grpc.netty.NettyChannelProvider,
            io.grpc.netty.shaded.io.grpc.netty.UdsNettyChannelProvider;
    provides io.grpc.NameResolverProvider with
            io.grpc.netty.shaded.io.grpc.netty.UdsNameResolverProvider;
    provides io.grpc.ServerProvider with
            io.grpc.netty.shaded.io.grpc.netty.NettyServerProvider;
}
