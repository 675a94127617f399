/** Whose LVM the node agent works with: the host's or that of its own image. */
package lvms.node.host;
