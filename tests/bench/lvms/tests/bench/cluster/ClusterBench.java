package lvms.tests.bench.cluster;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.tests.bench.gate.Ratios;
import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the product takes in a real cluster: time, memory and requests, each beside what Kubernetes
 * takes with a provisioner that answers at once, and beside plain LVM in the same machine.
 */
public final class ClusterBench {
    private static final long SETTLE_MILLIS = 20_000;
    private static final double POD_EXTRA_MILLIS = 1_000;
    private static final double PODS_EXTRA_MILLIS = 2_000;
    private static final double PODS_BOUND_MILLIS = 4_000;
    private static final double CROWD_OF_RAW = 0.8;
    private static final double REMOVAL_OF_RAW = 0.6;
    private static final double OPERATOR_START_MILLIS = 2_000;
    private static final double AGENT_START_MILLIS = 1_500;

    private final Scale scale;
    private final BenchCluster bench;
    private final Watched watched;
    private final Crowd crowd;
    private final Ratios ratios = Ratios.of("cluster");

    private ClusterBench(Scale scale, BenchCluster bench, Watched watched) {
        this.scale = scale;
        this.bench = bench;
        this.watched = watched;
        crowd = new Crowd(bench.kube(), watched);
    }

    /** Runs it: {@code [--mode lvms|topolvm] [--quick]}. */
    public static void main(String[] words) throws Exception {
        boolean mode = words.length > 1 && words[0].equals("--mode");
        var scale = Scale.of(mode ? Arrays.copyOfRange(words, 2, words.length) : words);
        switch (mode ? words[1] : "lvms") {
            case "lvms" -> run(scale);
            case "topolvm" -> TopolvmBench.run(scale);
            default -> throw new IllegalArgumentException("--mode is lvms or topolvm");
        }
        System.exit(0);
    }

    private static void run(Scale scale) throws Exception {
        try (var bench = BenchCluster.start()) {
            install(bench);
            try (var watched = Watched.open(bench.kube());
                    var floor = InstantProvisioner.start(bench.kube(), "Immediate")) {
                new ClusterBench(scale, bench, watched).run(floor.storageClass());
            }
        }
    }

    private static void install(BenchCluster bench) throws Exception {
        long began = System.nanoTime();
        bench.product().install();
        double millis = (System.nanoTime() - began) / 1e6;
        Report.head("Install and start");
        Report.row("kubectl apply -k to LVMCluster Ready", millis, 0, 0, 0);
    }

    private void run(String instant) throws Exception {
        starts();
        memory();
        var floor =
                new Floor(
                        singles(() -> crowd.claims(instant, 1)),
                        claims(instant, scale.crowd()),
                        singlePods(() -> crowd.emptyPods(1)),
                        pods(() -> crowd.emptyPods(scale.pods())));
        for (var kind : List.of(Product.THICK, Product.THIN)) {
            measure(kind, floor);
        }
        ratios.write();
    }

    /** Milliseconds from the creation to all done, and from the deletion to all gone. */
    private record Times(double create, double remove) {
        static Times median(List<Times> runs) {
            return new Times(
                    Report.median(runs.stream().map(Times::create).toList()),
                    Report.median(runs.stream().map(Times::remove).toList()));
        }
    }

    @FunctionalInterface
    private interface Step {
        double run() throws Exception;
    }

    private Times singles(Step create) throws Exception {
        var runs = new ArrayList<Times>();
        for (int i = 0; i < scale.singles(); i++) {
            runs.add(new Times(create.run(), crowd.removeClaims()));
        }
        return Times.median(runs);
    }

    private double singlePods(Step create) throws Exception {
        var runs = new ArrayList<Double>();
        for (int i = 0; i < scale.singlePods(); i++) {
            runs.add(pods(create));
        }
        return Report.median(runs);
    }

    private double pods(Step create) throws Exception {
        double millis = create.run();
        crowd.removePods();
        crowd.removeClaims();
        return millis;
    }

    private Times claims(String storageClass, int count) throws Exception {
        return new Times(crowd.claims(storageClass, count), crowd.removeClaims());
    }

    /** What Kubernetes takes by itself. */
    private record Floor(Times one, Times many, double pod, double pods) {}

    private void measure(String kind, Floor floor) throws Exception {
        var immediate = bench.storageClass(kind, "Immediate");
        claims(immediate, 1); // a cold worker and a pool's first activation do not count
        var raw = RawLvm.measure(bench.node(), kind, scale.crowd());
        int n = scale.crowd();
        Report.head(
                "%s, median of %d where one claim at a time, of %d where one pod"
                        .formatted(kind, scale.singles(), scale.singlePods()));
        var one = singles(() -> crowd.claims(immediate, 1));
        var single = floor.one();
        row(kind, "claim to Bound", one.create(), single.create(), raw.creation(), 1);
        row(
                kind,
                "claim deleted to volume gone",
                one.remove(),
                single.remove(),
                raw.removal(),
                REMOVAL_OF_RAW);
        var before = bench.audit().counts();
        var many = claims(immediate, n);
        var after = bench.audit().counts();
        row(
                kind,
                n + " claims at once, all Bound",
                many.create(),
                floor.many().create(),
                n * raw.meanCreation(),
                CROWD_OF_RAW);
        row(
                kind,
                n + " deleted at once, all gone",
                many.remove(),
                floor.many().remove(),
                n * raw.meanRemoval(),
                REMOVAL_OF_RAW);
        ratios.add(
                kind + ", " + n + " claims at once, each / one alone",
                many.create() / n / one.create());
        measurePods(kind, floor);
        requests(kind, before, after);
    }

    private void row(
            String kind, String what, double millis, double floor, double raw, double goalOfRaw) {
        Report.row(what, millis, floor, raw, goalOfRaw * raw);
        ratios.add(kind + ", " + what + " / raw", millis / raw);
    }

    private void measurePods(String kind, Floor floor) throws Exception {
        var waiting = bench.storageClass(kind, "WaitForFirstConsumer");
        double one = singlePods(() -> crowd.pods(waiting, 1).ready());
        double oneBudget = floor.pod() + POD_EXTRA_MILLIS;
        Report.row("pod with a claim Ready", one, floor.pod(), 0, oneBudget);
        ratios.add(kind + ", pod with a claim Ready / one without and 1 s", one / oneBudget);
        var many = crowd.pods(waiting, scale.pods());
        crowd.removePods();
        crowd.removeClaims();
        double manyBudget = floor.pods() + PODS_EXTRA_MILLIS;
        var pods = scale.pods() + " pods with claims at once";
        Report.row(pods + ", last Bound", many.bound(), 0, 0, PODS_BOUND_MILLIS);
        Report.row(pods + ", Ready", many.ready(), floor.pods(), 0, manyBudget);
        ratios.add(
                        kind + ", " + pods + ", last Bound / without, Ready",
                        many.bound() / floor.pods())
                .add(kind + ", " + pods + ", Ready / without and 2 s", many.ready() / manyBudget);
    }

    private void requests(String kind, Map<String, Long> before, Map<String, Long> after) {
        System.out.printf("%nrequests for each %s claim, made and deleted%n%n", kind);
        var byAccount = new LinkedHashMap<String, Double>();
        after.forEach(
                (what, count) -> {
                    double each = (count - before.getOrDefault(what, 0L)) / (double) scale.crowd();
                    if (each >= 0.05) {
                        System.out.printf("  %5.1f  %s%n", each, what);
                        byAccount.merge(what.substring(0, what.indexOf(' ')), each, Double::sum);
                    }
                });
        byAccount.forEach((who, sum) -> System.out.printf("  %5.1f  %s in all%n", sum, who));
    }

    private void starts() throws Exception {
        var processes = new Processes(bench.node());
        double operator = processes.restart("operator", pod(Names.OPERATOR));
        double agent = processes.restart("node agent", pod(Names.VG_MANAGER));
        Report.row("operator, start to ready", operator, 0, 0, OPERATOR_START_MILLIS);
        Report.row("node agent, start to ready", agent, 0, 0, AGENT_START_MILLIS);
        bench.product().awaitReady();
    }

    private KubeObject pod(String name) throws Exception {
        return bench.product().pods(name).stream()
                .filter(pod -> !pod.terminating())
                .findFirst()
                .orElseThrow();
    }

    /** Looks at memory after the heap has had time to shrink. */
    private void memory() throws Exception {
        var immediate = bench.storageClass(Product.THIN, "Immediate");
        System.out.printf("%nMemory%n%n");
        System.out.println("| volumes          | process    | RSS MiB | anonymous MiB |");
        System.out.println("| ---------------- | ---------- | ------: | ------------: |");
        for (int count : scale.volumes()) {
            if (count > 0) {
                crowd.claims(immediate, count);
                memoryOf(count + ", just made");
            }
            Thread.sleep(SETTLE_MILLIS);
            memoryOf(Integer.toString(count));
            crowd.removeClaims();
        }
    }

    private void memoryOf(String volumes) throws Exception {
        new Processes(bench.node())
                .memory()
                .forEach(
                        (kind, mib) ->
                                System.out.printf(
                                        "| %-16s | %-10s | %7.1f | %13.1f |%n",
                                        volumes, kind, mib.get(0), mib.get(1)));
    }
}
