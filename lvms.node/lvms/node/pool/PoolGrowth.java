package lvms.node.pool;

/** How a pool has to grow. */
public sealed interface PoolGrowth {
    /** Size to reach, in bytes. */
    long toBytes();

    record Data(long toBytes) implements PoolGrowth {}

    /** The metadata, and with it the spare volume for a repair. */
    record Metadata(long toBytes) implements PoolGrowth {}
}
