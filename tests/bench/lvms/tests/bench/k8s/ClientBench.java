package lvms.tests.bench.k8s;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Our informer beside those of fabric8 and client-go, one after the other in one run. Arguments:
 * {@code [--quick] [--objects N]}; see {@code docs/performance.md}.
 */
final class ClientBench {
    private static final int PODS = 100_000;
    private static final int QUICK_PODS = 10_000;

    /** Of both JVMs; the last is more than either needs for 100,000 pods. */
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-Xmx6g");

    private ClientBench() {}

    public static void main(String[] args) throws Exception {
        int pods = PODS;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> pods = QUICK_PODS;
                case "--objects" -> pods = Integer.parseInt(args[++i]);
                default -> throw new IllegalArgumentException("bench k8s: what is " + args[i]);
            }
        }
        try (var with = new Served(1, true);
                var without = new Served(1, false)) {
            System.out.printf(
                    "%d pods of %d bytes, %d without managedFields%n%n",
                    pods, with.podBytes(), without.podBytes());
        }
        var rows = new ArrayList<Row>();
        for (var subject : Subject.all(JVM)) {
            rows.add(subject.measured(pods));
            System.out.println(subject.name() + " " + rows.getLast());
        }
        print(rows);
    }

    private static void print(List<Row> rows) {
        System.out.println();
        System.out.println(
                "| what | lvms.k8s | fabric8 | client-go | fabric8 / ours | client-go / ours |");
        System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
        line("start to synced, one pod, ms", rows, Row::startMillis);
        line("start to synced, all pods, ms", rows, Row::startToSyncedMillis);
        line("first list, all pods, ms", rows, Row::syncedMillis);
        line("peak RSS by then, MiB", rows, row -> row.peakBytes() / (1 << 20));
        line("kept per pod, bytes", rows, Row::keptBytes);
        line("- no managedFields sent", rows, Row::plainBytes);
        line("events per second to a handler", rows, Row::eventsPerSecond);
        line("event to reconcile, p50, µs", rows, Row::p50Micros);
        line("event to reconcile, p99, µs", rows, Row::p99Micros);
    }

    private static void line(String what, List<Row> rows, ToDoubleFunction<Row> figure) {
        var values = rows.stream().mapToDouble(figure).toArray();
        System.out.printf(
                "| %s | %.0f | %.0f | %.0f | %.2f | %.2f |%n",
                what,
                values[0],
                values[1],
                values[2],
                values[1] / values[0],
                values[2] / values[0]);
    }
}
