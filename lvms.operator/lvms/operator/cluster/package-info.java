/**
 * The pass over an LVMCluster: accept or reject its spec, bring each unit closer to it, and write
 * its status once.
 *
 * <p>Begin with {@link lvms.operator.cluster.ClusterReconciler}. It judges the spec by the rules in
 * {@code rule}, runs the units of {@code lvms.operator.unit} side by side ({@code UnitRunner}) and
 * turns their outcomes into conditions ({@code ClusterState}, a pure function). {@code
 * ClusterDeletion} takes a cluster apart, but not while it is in use. {@link
 * lvms.operator.cluster.ClaimCapacityHint} and {@link lvms.operator.cluster.VolumeHint} tell users
 * about claims without room and volumes without a claim.
 *
 * <pre>{@code
 * var settings =
 *         ClusterSettings.of("lvms-system", "lvms-operator-0")
 *                 .image("example.org/lvms:1.0.0")
 *                 .agents(AgentSettings.DEFAULT.maxUnavailable("10%"));
 * }</pre>
 *
 * <p>It makes no volumes and sends no requests to nodes: agents read LVMVolumeGroups and report in
 * LVMVolumeGroupNodeStatuses.
 */
package lvms.operator.cluster;
