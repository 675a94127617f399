/**
 * TopolvmClusters: the second face of the same engine.
 *
 * <p>Begin with {@code TopolvmClusterReconciler}. The rules in {@code rule} say what a cluster may
 * ask for, {@code WantedGroups} turns that into LVMVolumeGroups, {@code GroupChanges} says what
 * becomes of those that are there, and {@code ClusterGroups} carries it out. {@code NodeStates}
 * puts what the nodes report into NativeStor's words, and {@code ClusterReport} folds it into the
 * status. All but the reconciler, {@code ClusterGroups}, {@code ClusterRemoval} and {@code
 * StatusWriter} are pure functions.
 *
 * <p>What a TopolvmCluster shares with an LVMCluster is in {@code lvms.operator.unit} and run by
 * {@code lvms.operator.cluster}.
 */
package lvms.operator.topolvmcluster;
