/**
 * The controller side of the Container Storage Interface: the gRPC services on a Unix socket, and
 * {@link lvms.operator.csi.ControlPlane}, which runs them and the controllers over one core.
 */
package lvms.operator.csi;
