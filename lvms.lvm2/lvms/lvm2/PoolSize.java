package lvms.lvm2;

/** How large a thin pool should be: a size or a share. */
public sealed interface PoolSize {
    /**
     * A size; LVM rounds it up to whole extents.
     *
     * @param bytes size in bytes, a multiple of 512
     */
    record Bytes(long bytes) implements PoolSize {
        public Bytes {
            Grammar.requireSize("pool size", bytes);
        }
    }

    /**
     * A share of the free extents ({@code -l N%FREE}).
     *
     * @param percent 1 to 100
     */
    record PercentOfFree(int percent) implements PoolSize {
        /** Refuses values outside 1 to 100. */
        public PercentOfFree {
            Grammar.requirePercent(percent);
        }
    }

    /**
     * A share of the whole group ({@code -l N%VG}).
     *
     * @param percent 1 to 100
     */
    record PercentOfGroup(int percent) implements PoolSize {
        /** Refuses values outside 1 to 100. */
        public PercentOfGroup {
            Grammar.requirePercent(percent);
        }
    }
}
