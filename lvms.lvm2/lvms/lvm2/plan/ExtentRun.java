package lvms.lvm2.plan;

/**
 * Extents in a row on one physical volume.
 *
 * @param start the first
 * @param extents how many
 */
public record ExtentRun(long start, long extents) {
    /** Refuses what is not a run. */
    public ExtentRun {
        if (start < 0 || extents < 1) {
            throw new IllegalArgumentException("no run of extents: " + start + "+" + extents);
        }
    }
}
