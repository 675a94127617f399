/**
 * TopoLVM's lvmd on the wire: its LVService and VGService, and gRPC's health service. The agent's
 * own code in {@code lvms.node.volume} makes the changes; this package has TopoLVM's admission
 * rules, its messages and its status codes, byte for byte where clients compare them. {@code
 * lvms.node.Lvmd} puts the services on a socket.
 */
package lvms.node.lvmd;
