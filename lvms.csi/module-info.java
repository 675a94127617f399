/**
 * What the two sides of the CSI driver share: a gRPC server on a Unix socket, made small and closed
 * to others, and the Identity service, which is the same on every socket.
 *
 * <p>It reads no system properties.
 */
module lvms.csi {
    requires transitive lvms.proto;

    exports lvms.csi;
}
