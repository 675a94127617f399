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

    /** The same commands, which one process reads line by line. */
    private static final String SHELL =
            """
            set -eu
            now() { date +%%s%%N; }
            lines() { i=0; while [ $i -lt %1$d ]; do echo "$1$i$2"; i=$((i + 1)); done; }
            lines '%2$s' '%3$s' >/tmp/lvcreate-lines
            lines 'lvremove -qq -y %4$s/raw' '' >/tmp/lvremove-lines
            for step in create remove; do
                t=$(now)
                lvm </tmp/lv$step-lines >/dev/null 2>&1
                echo "$step $((($(now) - t) / %1$d))"
                [ $step = remove ] || [ $(lvs --noheadings %4$s | grep -c raw) = %1$d ]
            done
            ! lvs --noheadings %4$s | grep raw
            """;

    static RawLvm measure(ClusterNode node, String kind, int count) throws IOException {
        var script = SCRIPT.formatted(count, create(kind) + "$i" + in(kind), kind);
        var out = node.run(List.of("sh", "-c", script), DEADLINE).require("plain LVM");
        return new RawLvm(times(out, "c "), times(out, "r "));
    }

    /** Without the start of a process for each: means of all. */
    static RawLvm inOneProcess(ClusterNode node, String kind, int count) throws IOException {
        var script = SHELL.formatted(count, create(kind), in(kind), kind);
        var out = node.run(List.of("sh", "-c", script), DEADLINE).require("LVM in one process");
        return new RawLvm(times(out, "create "), times(out, "remove "));
    }

    private static String create(String kind) {
        return "lvcreate -qq -y " + (kind.equals("thin") ? "-V" : "-L") + " 32M -n raw";
    }

    private static String in(String kind) {
        return kind.equals("thin") ? " thin/pool" : " thick";
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
