/** Marshalling of messages, the part that needs no descriptors. */
module io.grpc.protobuf.lite {
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc;

    exports io.grpc.protobuf.lite;
}
