/**
 * What a machine is like where that decides whether a node agent can work on it: kernel modules,
 * LVM, kubelet's folder, folders that cannot be written.
 *
 * <pre>{@code
 * var answer = Json.parse("{\"kernel\": \"6.1\", \"modules\": {\"dm_thin_pool\": \"missing\"}}");
 * var facts = MachineFacts.of(answer.asObject());
 * if (facts.modules().get("dm_thin_pool") == ModuleState.MISSING) {
 *     System.err.println("kernel " + facts.kernel() + " has no thin pools");
 * }
 * }</pre>
 *
 * <p>{@code lvms check --local} reads it on the machine, and {@code lvms check} judges it; nothing
 * here looks at anything.
 */
package lvms.api.machine;
