/**
 * Whose LVM a node works with. Two LVMs side by side can damage metadata, so if the host has LVM,
 * the agent uses it, with the host's configuration, locks and devices file. Otherwise it uses the
 * LVM of its own image.
 *
 * <p>{@link lvms.node.host.HostLvm} looks and chooses; {@link lvms.node.host.DeviceTools} says
 * which programs the choice needs and this image lacks. {@link lvms.node.host.HostFacts} reads what
 * else decides whether an agent can work here, for {@code lvms check}.
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
 * <p>It opens nothing itself, and it does not check whether the chosen LVM works; opening it does.
 */
package lvms.node.host;
