package lvms.launcher;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Says when what outlives a collection fills most of the heap: a process whose heap is full ends at
 * once, and begins anew with as much to keep. One thread uses it.
 */
final class HeapRoom {
    private static final int TIGHT_PERCENT = 85;
    private static final int WIDE_PERCENT = 75; // between them, what was said last holds

    private boolean tight;

    /** The part of the heap where objects live that outlived collections. */
    static MemoryPoolMXBean old() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()))
                .orElseThrow();
    }

    /**
     * Returns what is new since the last look, in one line.
     *
     * @param livedBytes what was alive after the last collection
     * @param mostBytes how much there may be
     */
    Optional<String> look(long livedBytes, long mostBytes) {
        double percent = 100.0 * livedBytes / mostBytes;
        boolean was = tight;
        tight = percent > (was ? WIDE_PERCENT : TIGHT_PERCENT);
        if (tight == was) {
            return Optional.empty();
        }
        var figures =
                String.format(
                        Locale.ROOT, "livedMiB=%d mostMiB=%d", livedBytes >> 20, mostBytes >> 20);
        return Optional.of(
                tight
                        ? "heap nearly full "
                                + figures
                                + " cure=\"more memory for its container, or fewer volumes\""
                        : "heap has room again " + figures);
    }
}
