/** Sockets that are kept while they are needed, whoever cleans their folder. */
package lvms.node.socket;
