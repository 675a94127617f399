/**
 * Snapshots of several volumes of one instant: how the wish travels from the operator to the node,
 * and the node's answer back, in annotations of LogicalVolumes.
 *
 * <pre>{@code
 * var wanted = new SnapshotGroup("before-upgrade", 2);
 * assert wanted.text().equals("before-upgrade/2");
 * var snapshot = LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster("snapshot-1")));
 * boolean ofOneInstant =
 *         SnapshotGroup.of(snapshot).filter(group -> group.taken(snapshot)).isPresent();
 * }</pre>
 *
 * <p>Begin with {@link lvms.api.snapshot.SnapshotGroup}. How a snapshot is taken is the node's
 * matter.
 */
package lvms.api.snapshot;
