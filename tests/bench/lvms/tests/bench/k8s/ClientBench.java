package lvms.tests.bench.k8s;

import lvms.tests.bench.gate.Ratios;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;

/**
 * Our informer beside those of fabric8 and client-go, one after the other in one run. Arguments:
 * {@code [--quick] [--objects N] [--without PEER]...}; see {@code docs/performance.md}.
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
        var without = new ArrayList<String>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> pods = QUICK_PODS;
                case "--objects" -> pods = Integer.parseInt(args[++i]);
                case "--without" -> without.add(args[++i]);
                default -> throw new IllegalArgumentException("bench k8s: what is " + args[i]);
            }
        }
        try (var with = new Served(1, true);
                var plain = new Served(1, false)) {
            System.out.printf(
                    "%d pods of %d bytes, %d without managedFields%n%n",
                    pods, with.podBytes(), plain.podBytes());
        }
        var rows = new LinkedHashMap<String, Row>();
        for (var subject : Subject.all(JVM)) {
            if (!without.contains(subject.name())) {
                var row = subject.measured(pods);
                rows.put(subject.name(), row);
                System.out.println(subject.name() + " " + row);
            }
        }
        print(rows);
        var ours = rows.pollFirstEntry().getValue();
        for (var peer : rows.entrySet()) {
            handOver(ours, peer.getKey(), peer.getValue());
        }
    }

    /**
     * Not what is chance: the slowest hundredth, starts of 14 ms, fabric8 without managedFields.
     */
    private static void handOver(Row ours, String peer, Row its) throws IOException {
        Ratios.of("k8s-" + peer)
                .add("kept per pod", ours.keptBytes() / its.keptBytes())
                .add("peak RSS", ours.peakBytes() / its.peakBytes())
                .add("first list, all pods", ours.syncedMillis() / its.syncedMillis())
                .add("time for each event", its.eventsPerSecond() / ours.eventsPerSecond())
                .add("event to reconcile, p50", ours.p50Micros() / its.p50Micros())
                .write();
    }

    private static void print(SequencedMap<String, Row> rows) {
        var names = new ArrayList<>(rows.keySet());
        var heads = new ArrayList<>(names);
        names.stream().skip(1).map(peer -> peer + " / ours").forEach(heads::add);
        System.out.println();
        System.out.println("| what | " + String.join(" | ", heads) + " |");
        System.out.println("| --- |" + " ---: |".repeat(heads.size()));
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

    private static void line(
            String what, SequencedMap<String, Row> rows, ToDoubleFunction<Row> figure) {
        var values = rows.values().stream().mapToDouble(figure).toArray();
        var line = new StringBuilder("| " + what + " |");
        for (double value : values) {
            line.append(" %.0f |".formatted(value));
        }
        Arrays.stream(values).skip(1).forEach(v -> line.append(" %.2f |".formatted(v / values[0])));
        System.out.println(line);
    }
}
