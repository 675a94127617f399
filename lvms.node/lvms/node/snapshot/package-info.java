/**
 * Keeps snapshots of thick volumes from being lost: each has a store that fills with every block of
 * its volume that is written for the first time, and the kernel gives the snapshot up when the
 * store is full.
 *
 * <p>Begin with {@link lvms.node.snapshot.SnapshotKeeper}, which is told of snapshots and has a
 * thread only while there are some. {@link lvms.node.snapshot.StoreGrowth} decides how large a
 * store has to be, {@link lvms.node.snapshot.StoreFill} how soon to look again; both are pure.
 *
 * <pre>{@code
 * var keeper = new SnapshotKeeper(groups, DeviceMapper.system());
 * keeper.onLost(snapshot -> enqueue(snapshot));
 * keeper.follow(lvm.snapshots().createThick(request));
 * }</pre>
 *
 * <p>Who takes and removes snapshots is in {@code lvms.node.volume}.
 */
package lvms.node.snapshot;
