/**
 * What a launcher starts on a node. Each type puts its parts together with constructors and is
 * ready to use after {@code start()}:
 *
 * <ul>
 *   <li>{@link lvms.node.NodeAgent} does all that a node does: volume groups, volumes, CSI,
 *       capacity.
 *   <li>{@link lvms.node.Lvmd} serves TopoLVM's lvmd alone, from an lvmd.yaml that a person wrote.
 *   <li>{@link lvms.node.NodeLock} lets one agent at a time change the LVM of a node.
 * </ul>
 *
 * <pre>{@code
 * var settings =
 *         new NodeAgentSettings(
 *                 "node-1", "lvms", "1.0", LvmdConfigFile.PATH, NodeAgentSettings.KUBELET,
 *                 Optional.empty(), Optional.empty(), NativestorSettings.NONE);
 * var metrics = new MetricsRegistry();
 * try (var lock = NodeLock.acquire(NodeLock.FILE);
 *         var agent = new NodeAgent(settings, kube, events, metrics)) {
 *     var host = HostLvm.look().choose(Path.of("/run/lvms/lvm"));
 *     agent.start(LvmCommands.open(host.options()));
 *     shutdown.await();
 * }
 * }</pre>
 *
 * <p>Flags, signals, health and metrics servers belong to the caller. So does the search for LVM:
 * {@link lvms.node.host} says whose LVM to open, and {@link lvms.node.NodeAgent#blocked} tells the
 * cluster while there is none.
 */
package lvms.node;
