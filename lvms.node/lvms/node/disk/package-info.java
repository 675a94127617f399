/**
 * The disks of a node as the volume group manager sees them: what the kernel and LVM say about each
 * device, which of them a volume group may take and why not, and a watch that notices changes.
 */
package lvms.node.disk;
