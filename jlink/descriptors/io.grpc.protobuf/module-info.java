/**
 * Marshalling of messages. Its {@code StatusProto} would need Google's common protos (2.8 MB, used
 * by none of our services), so they stay out of the image.
 */
module io.grpc.protobuf {
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc;
    requires io.grpc.protobuf.lite;

    exports io.grpc.protobuf;
}
