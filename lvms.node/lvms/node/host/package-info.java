/**
 * Whose LVM a node works with. Two LVMs beside each other can damage metadata, so the agent uses
 * the host's, with the host's configuration, locks and devices file, wherever the host has one;
 * else it uses the one of its own image.
 *
 * <p>{@link lvms.node.host.HostLvm} looks and chooses; {@link lvms.node.host.DeviceTools} says
 * which programs the choice needs and this image lacks.
 *
 * <pre>{@code
 * var host = HostLvm.look();
 * var tools = new DeviceTools(MachineTools.ofProcess(), host.entersHost());
 * var obstacle = tools.obstacle(); // such as "this image lacks the device tools wipefs: ..."
 * if (obstacle.isPresent()) {
 *     throw new IllegalStateException(obstacle.get());
 * }
 * var choice = host.choose(Path.of("/run/lvms/lvm"));
 * System.out.println(choice.reason());
 * var lvm = LvmCommands.open(choice.options());
 * }</pre>
 *
 * <p>It opens nothing itself, and it does not check whether the LVM that was chosen works: opening
 * it does.
 */
package lvms.node.host;
