/** Guava, because gRPC uses it; none of our own modules does. */
module com.google.common {
    requires java.logging;
    requires com.google.common.util.concurrent.internal;
    requires static jdk.unsupported;

    exports com.google.common.annotations;
    exports com.google.common.base;
    exports com.google.common.collect;
    exports com.google.common.io;
    exports com.google.common.math;
    exports com.google.common.net;
    exports com.google.common.primitives;
    exports com.google.common.util.concurrent;
}
