/**
 * How full the thin pools of a predecessor are, which no object says: {@link
 * lvms.operator.takeover.pool.LvmsPools} asks its agents.
 *
 * <pre>{@code
 * new LvmsPools(kube, "openshift-storage").notes(groups).forEach(System.out::println);
 * }</pre>
 */
package lvms.operator.takeover.pool;
