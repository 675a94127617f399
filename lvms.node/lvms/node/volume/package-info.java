/**
 * Makes, grows and removes the logical volumes of this node: those that LogicalVolume objects ask
 * for, and those that callers of lvmd do. A pass for an object decides by a pure function, acts
 * through LVM's idempotent calls, and writes one status; it can be cut anywhere, and the next one
 * finds what is there by its final name.
 */
package lvms.node.volume;
