package lvms.tests.bench.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * How much is measured.
 *
 * @param singles how often a claim is made alone; the median counts
 * @param singlePods how often a pod is
 * @param crowd how many claims come at once
 * @param pods how many pods with claims come at once
 * @param volumes at which numbers of volumes memory is looked at
 */
record Scale(int singles, int singlePods, int crowd, int pods, List<Integer> volumes) {
    private static final Scale FULL = new Scale(10, 10, 50, 10, List.of(0, 10, 250));

    /** As many claims and pods as the goals are about: what takes long is pods and to settle. */
    private static final Scale QUICK = new Scale(10, 3, 50, 10, List.of(0));

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
