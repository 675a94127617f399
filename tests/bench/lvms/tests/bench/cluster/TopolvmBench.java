package lvms.tests.bench.cluster;

import lvms.api.Driver;
import lvms.tests.conformance.takeover.TopolvmRelease;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The same claims and pods for TopoLVM with the standard sidecars, for our programs beside the same
 * sidecars, and for our chart, one after the other on one node: the ratios are of one run.
 */
final class TopolvmBench {
    private static final String CLASS = "ssd";

    private final Scale scale;
    private final BenchCluster bench;
    private final Crowd crowd;

    private TopolvmBench(Scale scale, BenchCluster bench, Watched watched) {
        this.scale = scale;
        this.bench = bench;
        crowd = new Crowd(bench.kube(), watched);
    }

    /** Milliseconds of each row of one subject. */
    private record Column(String name, List<Double> millis) {}

    private static List<String> rows(Scale scale) {
        return List.of(
                "claim to Bound",
                "claim deleted to volume gone",
                scale.crowd() + " claims at once, all Bound",
                scale.crowd() + " deleted at once, all gone",
                "pod with a claim Ready",
                scale.pods() + " pods with claims at once, Ready");
    }

    /** Measures the three, and prints them side by side. */
    static void run(Scale scale) throws Exception {
        if (!TopolvmRelease.missing().isEmpty()) {
            throw new IllegalStateException(TopolvmRelease.missing());
        }
        try (var bench = BenchCluster.withUdev()) {
            var folder = Path.of("out/bench/topolvm").toAbsolutePath();
            var release = new TopolvmRelease(bench.product(), folder, Driver.TOPOLVM);
            release.install();
            try (var watched = Watched.open(bench.kube())) {
                var measuring = new TopolvmBench(scale, bench, watched);
                var columns = new ArrayList<Column>();
                columns.add(measuring.column("TopoLVM"));
                release.mix(Set.of(TopolvmRelease.CONTROLLER, TopolvmRelease.NODE));
                columns.add(measuring.column("ours, sidecars"));
                release.upgrade();
                columns.add(measuring.column("our chart"));
                print(scale, columns);
            }
        }
    }

    private Column column(String name) throws Exception {
        var immediate = bench.storageClass(CLASS, "Immediate");
        var waiting = bench.storageClass(CLASS, "WaitForFirstConsumer");
        crowd.claims(immediate, 1); // a cold process does not count
        crowd.removeClaims();
        var bound = new ArrayList<Double>();
        var gone = new ArrayList<Double>();
        var ready = new ArrayList<Double>();
        for (int i = 0; i < scale.singles(); i++) {
            bound.add(crowd.claims(immediate, 1));
            gone.add(crowd.removeClaims());
            ready.add(pods(waiting, 1));
        }
        double allBound = crowd.claims(immediate, scale.crowd());
        double allGone = crowd.removeClaims();
        return new Column(
                name,
                List.of(
                        Report.median(bound),
                        Report.median(gone),
                        allBound,
                        allGone,
                        Report.median(ready),
                        pods(waiting, scale.pods())));
    }

    private double pods(String storageClass, int count) throws Exception {
        double millis = crowd.pods(storageClass, count).ready();
        crowd.removePods();
        crowd.removeClaims();
        return millis;
    }

    /** The first column is what the others are compared with. */
    private static void print(Scale scale, List<Column> columns) {
        var head = new StringBuilder("| %-36s |".formatted("thick, ms"));
        var rule = new StringBuilder("| " + "-".repeat(36) + " |");
        for (var column : columns) {
            head.append(" %14s | %5s |".formatted(column.name(), "x"));
            rule.append(" -------------: | ----: |");
        }
        System.out.printf("%n%s%n%s%n", head, rule);
        var rows = rows(scale);
        for (int i = 0; i < rows.size(); i++) {
            double peer = columns.getFirst().millis().get(i);
            var line = new StringBuilder("| %-36s |".formatted(rows.get(i)));
            for (var column : columns) {
                double own = column.millis().get(i);
                line.append(" %14.0f | %5.2f |".formatted(own, own / peer));
            }
            System.out.println(line);
        }
    }
}
