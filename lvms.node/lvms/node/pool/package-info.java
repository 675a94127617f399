/**
 * Pools that never surprise: they grow before they are full, and where they cannot, nothing new is
 * promised. Thin pools are the first kind.
 *
 * <p>Begin with {@link lvms.node.pool.PoolGuard}, the pure decision from a {@link
 * lvms.node.pool.PoolState} and a {@link lvms.node.pool.PoolPolicy}. {@link
 * lvms.node.pool.PoolKeeper} follows the pools of this node and carries it out; {@link
 * lvms.node.pool.PoolRefusals} is where the rest of the agent looks before it promises. {@link
 * lvms.node.pool.PoolTrimmer} has filesystems give back what they no longer use.
 *
 * <pre>{@code
 * var guard = PoolGuard.of(state, policy);
 * guard.growth().ifPresent(growth -> System.out.println(growth.toBytes()));
 * guard.refusal().ifPresent(System.out::println); // thin pool vg1/pool gets no new volumes: ...
 * }</pre>
 *
 * <p>It makes, wakes and repairs no pool; {@link lvms.node.vgmanager.VolumeGroupManager} does.
 */
package lvms.node.pool;
