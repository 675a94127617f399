package lvms.tests.bench.cluster;

import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Plain {@code lvcreate} and {@code lvremove} in a loop on a node.
 *
 * @param create milliseconds of each creation
 * @param remove milliseconds of each removal
 */
record RawLvm(List<Double> create, List<Double> remove) {
    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final String SCRIPT =
            """
            set -eu
            now() { date +%%s%%N; }
            i=0; t=$(now)
            while [ $i -lt %1$d ]; do
                %2$s >/dev/null 2>&1
                n=$(now); echo c $((n - t)); t=$n; i=$((i + 1))
            done
            i=0; t=$(now)
            while [ $i -lt %1$d ]; do
                lvremove -qq -y %3$s/raw$i >/dev/null 2>&1
                n=$(now); echo r $((n - t)); t=$n; i=$((i + 1))
            done
            """;

    static RawLvm measure(ClusterNode node, String kind, int count) throws IOException {
        var create =
                kind.equals("thin")
                        ? "lvcreate -qq -y -V 32M -n raw$i thin/pool"
                        : "lvcreate -qq -y -L 32M -n raw$i thick";
        var script = SCRIPT.formatted(count, create, kind);
        var out = node.run(List.of("sh", "-c", script), DEADLINE).require("plain LVM");
        return new RawLvm(times(out, "c "), times(out, "r "));
    }

    private static List<Double> times(String out, String mark) {
        return Arrays.stream(out.split("\n"))
                .filter(line -> line.startsWith(mark))
                .map(line -> Long.parseLong(line.substring(mark.length())) / 1e6)
                .toList();
    }

    double meanCreation() {
        return mean(create);
    }

    double meanRemoval() {
        return mean(remove);
    }

    private static double mean(List<Double> times) {
        return times.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    double creation() {
        return Report.median(create);
    }

    double removal() {
        return Report.median(remove);
    }
}
