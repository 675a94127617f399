/**
 * What each device class of this node can still hold, and its report on the Node object: the
 * annotations {@code capacity.topolvm.io/CLASS}, in bytes. {@link lvms.node.capacity.ClassCapacity}
 * computes, {@link lvms.node.capacity.CapacityReporter} reports after each change of LVM and never
 * by a poll.
 */
package lvms.node.capacity;
