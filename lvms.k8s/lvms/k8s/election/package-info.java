/**
 * Leader election on a Lease, with client-go's algorithm.
 *
 * <p>{@link lvms.k8s.election.LeaderElector} tells a listener when leadership begins and ends, and
 * guards what the leader writes; {@link lvms.k8s.election.LeaseTiming} has the periods.
 *
 * {@snippet :
 * var lease = ObjectKey.of("my-system", "my-operator");
 * try (var elector = LeaderElector.of(kube, lease, podName)) {
 *     var guarded = kube.guardedBy(elector); // refuses writes unless this process leads
 *     var controller = controller(guarded);
 *     elector.start(
 *             new LeaderElector.Listener() {
 *                 @Override
 *                 public void onStartedLeading() {
 *                     controller.start();
 *                 }
 *
 *                 @Override
 *                 public void onStoppedLeading() {
 *                     System.exit(1); // one term: the next process begins anew
 *                 }
 *             });
 *     awaitEnd();
 * }
 * }
 *
 * <p>The guard holds back what was not sent yet. What is on its way when the lease is lost may
 * still arrive: guard what cannot be undone with a precondition (ADR 33).
 */
package lvms.k8s.election;
