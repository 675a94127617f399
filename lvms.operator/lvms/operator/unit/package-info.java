/**
 * What a cluster consists of: one reconcile unit for each kind of object.
 *
 * <p>Begin with {@link lvms.operator.unit.ReconcileUnit}. A unit says which objects a cluster asks
 * for, a pure function, and brings those of the server closer to them through an {@link
 * lvms.operator.unit.Applier}, which writes only what differs. A {@code SharedUnit} is one whose
 * objects an LVMCluster and a TopolvmCluster both need. How far a pass came is its outcome:
 *
 * <pre>{@code
 * Outcome outcome = new Outcome.Pending("2 pods are terminating", Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>It judges no spec and writes no status: {@code lvms.operator.cluster} and {@code
 * lvms.operator.topolvmcluster} do.
 */
package lvms.operator.unit;
