/**
 * TopoLVM's lvmd on the wire: its LVService and VGService, and gRPC's health service. What changes
 * LVM is the agent's own code in {@code lvms.node.volume}; here are TopoLVM's rules of admission,
 * its messages and its status codes, byte for byte where clients compare them. {@code
 * lvms.node.Lvmd} puts the services on a socket.
 */
package lvms.node.lvmd;
