package lvms.node.erasure;

/** Spreads the writes of all erasures in one group over time. Any thread may call. */
public final class Pace {
    private static final double SECOND = 1e9;
    private long nextAt = Long.MIN_VALUE;

    /**
     * Takes a turn.
     *
     * @param bytes how much the caller is about to write
     * @param rateBytes most bytes in a second
     * @param now the time in nanoseconds
     * @return how long the caller has to wait first, in nanoseconds
     */
    synchronized long take(long bytes, long rateBytes, long now) {
        long begin = nextAt == Long.MIN_VALUE ? now : now + Math.max(0, nextAt - now);
        nextAt = begin + (long) (bytes * SECOND / rateBytes);
        return begin - now;
    }
}
