package lvms.tests.bench.cluster;

import lvms.k8s.object.KubeObject;
import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The product's processes on a node, found by the words of their command lines.
 *
 * @param node where they run
 */
record Processes(ClusterNode node) {
    /** What a process is called here, and a part of its command line. */
    static final Map<String, String> KINDS =
            Map.of(
                    "operator", "lvms-operator",
                    "node agent", "lvms-vgmanager",
                    "worker", "lvms.lvm2.worker");

    private static final Duration DEADLINE = Duration.ofSeconds(90);
    // Brackets, since the script's own command line has the words too.
    private static final String PID = "pid=$(pgrep -o -f '^/opt/lvms/bin/java.*%s')\n";
    private static final String MEMORY =
            PID + "awk '/^VmRSS|^RssAnon/ { print $2 }' /proc/$pid/status";
    // One process asks: a curl for each question would take most of the node's only CPU.
    private static final String START =
            """
            of_pod() { # there may be two replicas
                for pid in $(pgrep -f '^/opt/lvms/bin/java.*%1$s'); do
                    grep -qzx 'NAME=%2$s' /proc/$pid/environ && echo $pid
                done
            }
            pid=$(of_pod)
            kill -KILL $pid
            while kill -0 $pid 2>/dev/null; do sleep 0.01; done
            perl -MIO::Socket::INET -MTime::HiRes=sleep -e '
                for (1 .. 600) {
                    my $socket = IO::Socket::INET->new("%3$s:8081");
                    print $socket "GET /readyz HTTP/1.0\\r\\n\\r\\n" if $socket;
                    exit 0 if $socket && <$socket> =~ / 200 /;
                    sleep 0.05;
                }
                exit 1' || exit 1
            ready=$(cut -d ' ' -f 1 /proc/uptime)
            new=$(of_pod)
            started=$(sed 's/.*) //' /proc/$new/stat | cut -d ' ' -f 20)
            awk "BEGIN { print $ready * 1000 - $started * 10 }"
            """;

    /** Resident and anonymous memory in MiB; empty if the process does not run now. */
    Map<String, List<Double>> memory() throws IOException {
        var found = new LinkedHashMap<String, List<Double>>();
        for (var kind : List.of("operator", "node agent", "worker")) {
            var result = node.run("sh", "-c", MEMORY.formatted(bracketed(kind)));
            if (result.succeeded()) {
                var kib = result.out().lines().map(Double::parseDouble).toList();
                found.put(kind, List.of(kib.get(0) / 1024, kib.get(1) / 1024));
            }
        }
        return found;
    }

    /** Kills a pod's process; milliseconds from the start of its successor until that is ready. */
    double restart(String kind, KubeObject pod) throws IOException {
        var address = pod.text("status", "podIP").orElseThrow();
        var script = START.formatted(bracketed(kind), pod.name(), address);
        var result = node.run(List.of("sh", "-c", script), DEADLINE);
        return Double.parseDouble(result.require("restart of the " + kind).strip());
    }

    private static String bracketed(String kind) {
        var word = KINDS.get(kind);
        return "[" + word.charAt(0) + "]" + word.substring(1);
    }
}
