package lvms.tests.bench.cluster;

import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where a node's processor time went, in milliseconds since its start: of each kind of process, of
 * all else that runs, and of nothing. A process that has ended counts no more.
 */
record ProcessorTime(Map<String, Double> millis) {
    private static final String READ =
            """
            tick=$((1000 / $(getconf CLK_TCK)))
            for stat in /proc/[0-9]*/stat; do
                pid=${stat#/proc/}; pid=${pid%/stat}
                line=$(tr '\\0' ' ' 2>/dev/null </proc/$pid/cmdline) || continue
                case "$line" in
                    %s
                    *kubelet*) kind='kubelet' ;;
                    *containerd*) kind='containerd' ;;
                    *) continue ;;
                esac
                set -- $(sed 's/.*) //' $stat 2>/dev/null) || continue
                echo "$(((${12} + ${13}) * tick)) $kind"
            done
            set -- $(head -n 1 /proc/stat)
            echo "$((($2 + $3 + $4 + $7 + $8) * tick)) all"
            echo "$((($5 + $6) * tick)) idle"
            """
                    .replace("%s", ours());

    private static String ours() {
        return Processes.KINDS.entrySet().stream()
                .map(
                        kind ->
                                "*bin/java*%s*) kind='%s' ;;"
                                        .formatted(kind.getValue(), kind.getKey()))
                .collect(Collectors.joining("\n        "));
    }

    static ProcessorTime of(ClusterNode node) throws IOException {
        var found = new LinkedHashMap<String, Double>();
        node.run("sh", "-c", READ)
                .require("processor time")
                .lines()
                .forEach(
                        line -> {
                            int space = line.indexOf(' ');
                            double millis = Double.parseDouble(line.substring(0, space));
                            found.merge(line.substring(space + 1), millis, Double::sum);
                        });
        return new ProcessorTime(found);
    }

    /** What passed since then, for each of so many; below zero where a worker has ended. */
    String since(ProcessorTime before, int count) {
        var text = new StringBuilder();
        millis.forEach(
                (kind, now) -> {
                    double each = (now - before.millis.getOrDefault(kind, 0.0)) / count;
                    text.append(String.format(Locale.ROOT, "%s %.1f  ", kind, each));
                });
        return text.toString().strip();
    }
}
