/**
 * Nodes that are being deleted or are gone, and the objects they leave behind.
 *
 * <p>{@link lvms.operator.node.TerminatingNodeReconciler}: a Node is being deleted; its claims and
 * LogicalVolumes go first. {@link lvms.operator.node.GoneNodeStatusReconciler}: a Node is gone; its
 * LVMVolumeGroupNodeStatus goes. {@link lvms.operator.node.GoneNodeVolumeReconciler}: somebody
 * deletes a LogicalVolume whose Node is gone; it goes without its node. {@link
 * lvms.operator.node.NodeOutageReconciler}: a Node is down; the claims of its volumes are told.
 * {@link lvms.operator.node.NodeFinalizers} is what they share: it removes the finalizers that a
 * gone node can no longer remove.
 */
package lvms.operator.node;
