/** The controller side of the Container Storage Interface: the gRPC services on a Unix socket. */
package lvms.operator.csi;
