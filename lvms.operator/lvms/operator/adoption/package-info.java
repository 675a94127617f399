/**
 * Volumes on the nodes that no LogicalVolume names, and how a person gives one an object again.
 *
 * <p>{@link lvms.operator.adoption.UnclaimedVolumes} is the whole of it: agents report such volumes
 * in the status of their volume groups, and adopting one creates a LogicalVolume whose name the
 * agent then finds on its disk.
 *
 * <pre>{@code
 * var unclaimed = new UnclaimedVolumes(kube);
 * for (var found : unclaimed.all()) {
 *     System.out.println(found.node() + " " + found.deviceClass() + " " + found.volume());
 * }
 * System.out.println(unclaimed.adopt("vg1/pvc-1", "data")); // the LogicalVolume's name
 * }</pre>
 *
 * <p>It asks no node and touches no disk, and makes neither a PersistentVolume nor a claim.
 */
package lvms.operator.adoption;
