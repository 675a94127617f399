/** The interfaces of gRPC. */
module io.grpc {
    requires java.logging;
    requires static com.google.errorprone.annotations;
    requires com.google.common;

    exports io.grpc;

    uses io.grpc.LoadBalancerProvider;
    uses io.grpc.ManagedChannelProvider;
    uses io.grpc.NameResolverProvider;
    uses io.grpc.ServerProvider;
}
