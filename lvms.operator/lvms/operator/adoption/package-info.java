/**
 * Volumes on the nodes that no LogicalVolume names, or that are on another node than it says, and
 * how a person puts that right.
 *
 * <p>{@link lvms.operator.adoption.UnclaimedVolumes}: agents report such volumes in the status of
 * their volume groups, and adopting one creates a LogicalVolume whose name the agent then finds on
 * its disk. {@link lvms.operator.adoption.NodeMove}: the disks of a node that is away are in
 * another one, which proves it by what LVM says there. {@link
 * lvms.operator.adoption.RetainedVolume}: nobody needs a volume any more, and it goes.
 *
 * <pre>{@code
 * var unclaimed = new UnclaimedVolumes(kube);
 * for (var found : unclaimed.all()) {
 *     System.out.println(found.node() + " " + found.deviceClass() + " " + found.volume());
 * }
 * System.out.println(unclaimed.adopt("vg1/pvc-1", "data")); // the LogicalVolume's name
 * }</pre>
 *
 * <p>It asks no node and touches no disk. It makes no claim, and a PersistentVolume only in place
 * of one that names the former node.
 */
package lvms.operator.adoption;
