/**
 * What each device class of this node can still hold, and how the Node object reports it: in the
 * annotations {@code capacity.topolvm.io/CLASS}, in bytes. {@link lvms.node.capacity.ClassCapacity}
 * computes it; {@link lvms.node.capacity.CapacityReporter} reports it after each LVM change and
 * never polls.
 */
package lvms.node.capacity;
