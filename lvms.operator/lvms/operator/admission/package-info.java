/**
 * Webhooks for LVMClusters, over the rules that the controller goes by.
 *
 * <p>{@link lvms.operator.admission.ClusterChecks} refuses what the controller would reject, {@link
 * lvms.operator.admission.ClusterDefaults} writes down what a new class means that says nothing.
 *
 * <pre>{@code
 * var pages =
 *         new AdmissionPages(
 *                 Map.of(
 *                         "/mutate", new ClusterDefaults(),
 *                         "/validate", new ClusterChecks(kube, "lvms-system")));
 * }</pre>
 *
 * <p>Nothing relies on them: without them the status of an LVMCluster says the same.
 */
package lvms.operator.admission;
