/** Protocol buffers, the runtime of the generated code. Unsafe is used where it is present. */
module com.google.protobuf {
    requires java.logging;
    requires static jdk.unsupported;

    exports com.google.protobuf;
}
