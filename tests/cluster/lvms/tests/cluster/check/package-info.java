/**
 * Whether disk, objects and mounts of a cluster agree.
 *
 * <p>{@link lvms.tests.cluster.check.Agreement} decides, from what {@link
 * lvms.tests.cluster.check.NodeView} and {@link lvms.tests.cluster.check.ClusterView} hold; {@link
 * lvms.tests.cluster.check.Checker} reads both and waits until nothing is on its way any more.
 */
package lvms.tests.cluster.check;
