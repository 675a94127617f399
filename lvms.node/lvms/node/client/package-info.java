/**
 * The agent as a client of an lvmd in another process, TopoLVM's or ours: its calls with deadlines,
 * and its Watch stream, which is opened again whenever it ends.
 */
package lvms.node.client;
