/**
 * Makes the volume groups that LVMVolumeGroups ask for from the disks of this node, keeps them, and
 * removes them with their object.
 *
 * <p>{@link lvms.node.vgmanager.VolumeGroupManager} runs one pass per LVMVolumeGroup. A pass reads
 * devices, LVM and objects, the pure functions of {@code lvms.node.vgmanager.plan} name the next
 * step, and {@code GroupSteps} takes it, until nothing is left to do or something stands in the
 * way. Then {@code GroupOutcome} writes lvmd.yaml and the node status. The device classes that
 * result are what the rest of the agent works with.
 */
package lvms.node.vgmanager;
