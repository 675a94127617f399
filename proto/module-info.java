/**
 * The messages and services of the Container Storage Interface, of kubelet's plugin registration,
 * of lvmd and of gRPC's health check, generated from the {@code .proto} files beside this one, and
 * the only door to gRPC.
 */
module lvms.proto {
    requires transitive com.google.common;
    requires transitive com.google.protobuf;
    requires transitive io.grpc;
    requires transitive io.grpc.netty.shaded;
    requires transitive io.grpc.protobuf;
    requires transitive io.grpc.stub;

    exports lvms.proto.csi.v1;
    exports lvms.proto.health.v1;
    exports lvms.proto.lvmd;
    exports lvms.proto.registration.v1;
}
