/** The core of gRPC. JNDI would serve SRV look-ups alone, and we dial sockets. */
module io.grpc.internal {
    requires java.logging;
    requires static java.naming;
    requires com.google.common;
    requires com.google.gson;
    requires io.grpc;
    requires io.perfmark;

    exports io.grpc.internal;

    provides io.grpc.LoadBalancerProvider with
            io.grpc.internal.PickFirstLoadBalancerProvider;
    provides io.grpc.NameResolverProvider with
            io.grpc.internal.DnsNameResolverProvider;
}
