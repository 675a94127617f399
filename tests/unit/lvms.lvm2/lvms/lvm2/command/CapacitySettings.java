package lvms.lvm2.command;

/**
 * Which random groups a run tries.
 *
 * @param seed of the first; each further one has the next
 * @param layouts how many
 */
record CapacitySettings(long seed, int layouts) {
    private static final int QUICK = 40;
    private static final int FULL = 200;

    /** The quick run tries the same groups each time; a full one tries new ones. */
    static CapacitySettings ofThisRun() {
        boolean full = Boolean.getBoolean("lvms.full");
        return new CapacitySettings(
                Long.getLong("lvms.layouts.seed", full ? System.nanoTime() % 1_000_000_000 : 1),
                Integer.getInteger("lvms.layouts", full ? FULL : QUICK));
    }

    /** How to repeat it. */
    String repeat() {
        return "-Dlvms.layouts.seed=%d -Dlvms.layouts=%d ".formatted(seed, layouts);
    }
}
