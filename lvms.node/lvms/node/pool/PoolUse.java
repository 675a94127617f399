package lvms.node.pool;

/**
 * How full the data or the metadata of a pool is.
 *
 * @param sizeBytes its size
 * @param used used part of it, 0 to 1
 * @param roomBytes by how much it could grow in its volume group now
 */
public record PoolUse(long sizeBytes, double used, long roomBytes) {
    public PoolUse {
        if (sizeBytes < 0 || roomBytes < 0 || !(used >= 0)) {
            throw new IllegalArgumentException(sizeBytes + " " + used + " " + roomBytes);
        }
    }

    /** Returns whether at least this many percent of it are used. */
    boolean reaches(double percent) {
        return used * 100 >= percent;
    }
}
