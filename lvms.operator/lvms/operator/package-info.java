/**
 * The operator as a launcher sees it: two halves over one set of caches.
 *
 * <p>{@link lvms.operator.ClusterOperator} serves LVMClusters: it makes what a cluster consists of,
 * writes its status, and cleans up after nodes. {@link lvms.operator.VolumeOperator} serves claims:
 * it does the work of external-provisioner, -resizer and -snapshotter, publishes capacity, and
 * answers on the CSI socket of each driver. {@link lvms.operator.RawDeviceOperator} does that for
 * claims of whole disks, if somebody asks for it. All write, so only the leader starts them.
 *
 * <pre>{@code
 * var informers = OperatorInformers.of(kube, Drivers.DEFAULT, "lvms-system");
 * var settings = VolumeOperatorSettings.of(pod, "1.0.0", Path.of("/run/topolvm/csi.sock"));
 * try (var volumes = new VolumeOperator(kube, informers, settings, events, metrics);
 *         var clusters =
 *                 new ClusterOperator(
 *                         kube, ClusterSettings.of("lvms-system", "pod-0"), informers, metrics)) {
 *     volumes.start();
 *     clusters.start();
 *     end.await();
 * }
 * }</pre>
 *
 * <p>These classes only wire. The packages behind them: {@code cluster} (the pass over an
 * LVMCluster), {@code cluster.rule} (which spec is acceptable), {@code unit} (what a cluster
 * consists of), {@code agent} (how node agents are run), {@code node} (nodes that are being deleted
 * or are gone); {@code provision}, {@code resize}, {@code snapshot} and {@code capacity}
 * (controllers of volumes), {@code backend} (what they make volumes of: {@code volume} or {@code
 * rawdevice}), {@code csi} (the core of logical volumes as gRPC services); {@code informer} and
 * {@code claim} (what the others build on). Leader election, health and metrics belong to the
 * launcher.
 */
package lvms.operator;
