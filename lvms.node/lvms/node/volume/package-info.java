/**
 * Makes, grows and removes the logical volumes that LogicalVolume objects of this node ask for. A
 * pass decides by a pure function, acts through LVM's idempotent calls, and writes one status; it
 * can be cut anywhere, and the next one finds what is there by its final name.
 */
package lvms.node.volume;
