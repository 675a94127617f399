/**
 * Unix sockets that stay served. Kubelet and people clean the folders that sockets are in; {@link
 * lvms.node.socket.SocketKeeper} notices that its socket is gone and serves it again.
 */
package lvms.node.socket;
