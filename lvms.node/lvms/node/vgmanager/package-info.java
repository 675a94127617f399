/**
 * Volume groups from the disks of this node.
 *
 * <p>One pass per LVMVolumeGroup reads the devices, LVM and the objects, a pure function names the
 * next steps, and a thin shell takes them. {@link lvms.node.deviceclass.DeviceClasses} is the
 * result that the rest of the agent works with.
 */
package lvms.node.vgmanager;
