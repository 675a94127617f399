/**
 * The disks of a node as the volume group manager sees them. {@link lvms.node.disk.InventoryReader}
 * reads what the kernel and LVM say about each device; {@link lvms.node.disk.DeviceFilter} decides
 * which devices a volume group may take, and gives the reasons for each that it may not; {@link
 * lvms.node.disk.DeviceWatch} notices changes. {@link lvms.node.disk.Host} is the only way to the
 * machine, and its {@code wipe} the only thing here that writes to a disk.
 */
package lvms.node.disk;
