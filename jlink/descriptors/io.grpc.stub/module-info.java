/** The stubs that generated services build on. */
module io.grpc.stub {
    requires java.logging;
    requires com.google.common;
    requires io.grpc;

    exports io.grpc.stub;
    exports io.grpc.stub.annotations;
}
