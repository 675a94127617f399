/** Load balancers and the registry of handlers of gRPC. */
module io.grpc.util {
    requires java.logging;
    requires com.google.common;
    requires io.grpc;
    requires io.grpc.internal;

    exports io.grpc.util;
}
