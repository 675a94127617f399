/** gRPC servers on Unix sockets: made small, closed to others, and kept while they are needed. */
package lvms.node.socket;
