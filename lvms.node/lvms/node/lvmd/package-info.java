/**
 * TopoLVM's lvmd on the wire: LVService, VGService and gRPC's health service on a Unix socket, for
 * the device classes of lvmd.yaml or of the node agent. What changes LVM is the agent's own code;
 * here are TopoLVM's rules of admission, its messages and its status codes.
 */
package lvms.node.lvmd;
