/**
 * RawDevices: whole disks and partitions of this node that claims can have.
 *
 * <p>{@link lvms.node.rawdevice.RawDevices} keeps an object for each device that is listed. {@link
 * lvms.node.rawdevice.RawDeviceMatch} finds out which object is which device, by what identifies a
 * disk and not by its name, and {@link lvms.node.rawdevice.RawDevicePlan} what has to be written:
 *
 * <pre>{@code
 * var match = RawDeviceMatch.of(objects, devices);
 * for (var change : new RawDevicePlan("node-1", objects, listed).changes()) {
 *     System.out.println(change);
 * }
 * }</pre>
 *
 * <p>Which devices are listed, and why one is not free, is decided in {@code lvms.node.discovery}.
 */
package lvms.node.rawdevice;
