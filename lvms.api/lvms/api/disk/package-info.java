/**
 * The disks of a node as every part of the product sees them, and which class gets which of them.
 *
 * <p>An agent publishes its {@link lvms.api.disk.Disk}s in the LVMVolumeGroupNodeStatus of its
 * node. {@link lvms.api.disk.DeviceClaims} and {@link lvms.api.disk.ClassChoice} are the decisions
 * that need no machine, so that a preview follows the same rules as the agent.
 *
 * {@snippet :
 * for (var object : kube.list(LvmVolumeGroupNodeStatus.TYPE, ListOptions.all()).items()) {
 *     var node = LvmVolumeGroupNodeStatus.of(object);
 *     node.disks().stream()
 *             .filter(Disk::free)
 *             .forEach(disk -> System.out.println(node.node() + " " + disk.name()));
 * }
 * }
 *
 * <p>What is published may be some seconds old; before an agent takes a disk it looks again.
 */
package lvms.api.disk;
