/**
 * Loop devices as disks of a class, for development: files of the host that the node makes, or
 * devices that a person has made.
 *
 * <p>Begin with {@link lvms.node.loop.LoopKeeper}; {@link lvms.node.loop.LoopPlan} decides, {@link
 * lvms.node.loop.LoopNames} names the files, and {@link lvms.node.loop.HostFiles} reaches the
 * host's files from a container.
 *
 * {@snippet :
 * var files = new HostFiles(Path.of("/proc/1/root"));
 * var keeper = new LoopKeeper(new LoopNames("node1"), files, BlockDevices.system());
 * for (var state : keeper.keep("data", wishes, recorded, true)) {
 *     System.out.println(state.name() + " is " + state.deviceName() + ' ' + state.message());
 * }
 * }
 *
 * <p>What is behind a device is remembered in the node status, by whoever calls.
 */
package lvms.node.loop;
