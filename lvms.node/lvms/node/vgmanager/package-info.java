/**
 * Makes volume groups from the disks of this node as LVMVolumeGroups ask, keeps them, and removes
 * them with their object.
 *
 * <p>{@link lvms.node.vgmanager.VolumeGroupManager} runs one pass per LVMVolumeGroup. A pass reads
 * devices, LVM and objects, the pure functions of {@code lvms.node.vgmanager.plan} name the next
 * step, and {@code GroupSteps} takes it, until nothing is left to do or something stands in the
 * way. Then {@code GroupOutcome} writes lvmd.yaml and the node status. The rest of the agent works
 * with the resulting device classes.
 */
package lvms.node.vgmanager;
