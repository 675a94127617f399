/**
 * The devices of a node as NativeStor's users know them: key {@code devices} of the ConfigMap
 * {@code lvmdconfig-NODE}, and RawDevices.
 *
 * <p>Begin with {@link lvms.node.discovery.Discovery}, whose passes run in turn with those of the
 * volume groups and read the same inventory. {@link lvms.node.discovery.Listing} decides which
 * devices are listed and why one is not available, {@link lvms.node.discovery.Pace} when a change
 * is shown, and each {@link lvms.node.discovery.Publisher} where:
 *
 * <pre>{@code
 * var listing = new Listing(false, host::hasData);
 * for (var listed : listing.of(inventory, claims)) {
 *     System.out.println(listed.device().name() + " " + listed.message());
 * }
 * }</pre>
 *
 * <p>Nothing here changes a disk. What becomes of RawDevices is in {@code lvms.node.rawdevice}.
 */
package lvms.node.discovery;
