/**
 * Leader election on a Lease, with client-go's algorithm.
 *
 * <p>{@link lvms.k8s.election.LeaderElector} tells a listener when leadership begins and ends;
 * {@link lvms.k8s.election.LeaseTiming} has the periods.
 *
 * {@snippet :
 * var lease = ObjectKey.of("my-system", "my-operator");
 * var listener =
 *         new LeaderElector.Listener() {
 *             @Override
 *             public void onStartedLeading() {
 *                 controller.start();
 *             }
 *
 *             @Override
 *             public void onStoppedLeading() {
 *                 System.exit(1); // the next process begins anew
 *             }
 *         };
 * try (var elector = LeaderElector.of(kube, lease, podName, listener)) {
 *     elector.start();
 * }
 * }
 *
 * <p>Election does not fence: guard what cannot be undone with a precondition.
 */
package lvms.k8s.election;
