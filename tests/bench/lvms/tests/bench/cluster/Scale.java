package lvms.tests.bench.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * How much is measured.
 *
 * @param singles how often something is done alone; the median counts
 * @param crowd how many claims come at once
 * @param pods how many pods with claims come at once
 * @param volumes at which numbers of volumes memory is looked at
 */
record Scale(int singles, int crowd, int pods, List<Integer> volumes) {
    private static final Scale FULL = new Scale(10, 50, 10, List.of(0, 10, 250));
    private static final Scale QUICK = new Scale(3, 10, 3, List.of(0, 10));

    /** Reads {@code [--quick]}. */
    static Scale of(String... words) {
        return switch (Arrays.asList(words).toString()) {
            case "[]" -> FULL;
            case "[--quick]" -> QUICK;
            default ->
                    throw new IllegalArgumentException(
                            "usage: bench cluster [--mode lvms|topolvm] [--quick]");
        };
    }
}
