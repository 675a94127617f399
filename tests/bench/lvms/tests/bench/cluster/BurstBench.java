package lvms.tests.bench.cluster;

import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a volume costs among many at once, beside one alone and beside plain LVM, and where the
 * processor of the node is meanwhile; with {@code --profile} also recordings of operator and node
 * agent by the JDK Flight Recorder.
 */
public final class BurstBench {
    private static final int SINGLES = 10;
    private static final int CROWD = 50;
    private static final int ROUNDS = 3;
    private static final int PODS = 10;
    private static final String HEAD =
            """

            |       |      | alone | floor | each of %d | floor | each / alone \
            | raw | alone / raw | each / raw | LVM | each / (floor + LVM) |
            | ----- | ---- | ----: | ----: | ---------: | ----: | -----------: \
            | --: | ----------: | ---------: | --: | -------------------: |\
            """
                    .formatted(CROWD);

    private final BenchCluster bench;
    private final Crowd crowd;
    private final Optional<Recordings> recordings;

    private BurstBench(BenchCluster bench, Watched watched, boolean profile) {
        this.bench = bench;
        this.crowd = new Crowd(bench.kube(), watched);
        this.recordings = profile ? Optional.of(new Recordings(bench.node())) : Optional.empty();
    }

    /** Runs it: {@code [--profile]}. */
    public static void main(String[] words) throws Exception {
        var asked = List.of(words);
        if (!asked.isEmpty() && !asked.equals(List.of("--profile"))) {
            throw new IllegalArgumentException("usage: bench burst [--profile]");
        }
        try (var bench = BenchCluster.start()) {
            bench.product().install();
            try (var watched = Watched.open(bench.kube());
                    var floor = InstantProvisioner.start(bench.kube(), "Immediate")) {
                new BurstBench(bench, watched, !asked.isEmpty()).run(floor.storageClass());
            }
        }
        System.exit(0);
    }

    private void run(String instant) throws Exception {
        var floor = measure("floor", instant);
        double emptyPods = crowd.emptyPods(PODS);
        crowd.removePods();
        for (var kind : List.of(Product.THICK, Product.THIN)) {
            var storageClass = bench.storageClass(kind, "Immediate");
            var raw = Times.mean(RawLvm.measure(bench.node(), kind, CROWD));
            var lvm = Times.mean(RawLvm.inOneProcess(bench.node(), kind, CROWD));
            crowd(storageClass); // compilers, a cold worker and a pool's first activation
            var ours = measure(kind, storageClass);
            System.out.println(HEAD);
            print(kind + " | made", Times::made, ours, floor, raw, lvm);
            print(kind + " | gone", Times::gone, ours, floor, raw, lvm);
            System.out.println();
            pods(kind, emptyPods);
        }
    }

    /** Milliseconds until a volume is made, and until it is gone. */
    private record Times(double made, double gone) {
        static Times median(List<Times> runs) {
            return new Times(
                    Report.median(runs.stream().map(Times::made).toList()),
                    Report.median(runs.stream().map(Times::gone).toList()));
        }

        static Times mean(RawLvm lvm) {
            return new Times(lvm.meanCreation(), lvm.meanRemoval());
        }
    }

    /** Of one alone, and of each of many. */
    private record Measured(Times alone, Times each) {}

    private Measured measure(String kind, String storageClass) throws Exception {
        var alone = new ArrayList<Times>();
        for (int i = 0; i < SINGLES; i++) {
            alone.add(new Times(crowd.claims(storageClass, 1), crowd.removeClaims()));
        }
        if (recordings.isPresent()) {
            recordings.get().start();
        }
        var each = new ArrayList<Times>();
        for (int i = 0; i < ROUNDS; i++) {
            var before = ProcessorTime.of(bench.node());
            double made = crowd.claims(storageClass, CROWD) / CROWD;
            var between = ProcessorTime.of(bench.node());
            double gone = crowd.removeClaims() / CROWD;
            var after = ProcessorTime.of(bench.node());
            each.add(new Times(made, gone));
            System.out.printf(
                    "%s, each made: %.1f ms; %s%n", kind, made, between.since(before, CROWD));
            System.out.printf(
                    "%s, each gone: %.1f ms; %s%n", kind, gone, after.since(between, CROWD));
        }
        if (recordings.isPresent()) {
            recordings.get().stop(kind);
        }
        return new Measured(Times.median(alone), Times.median(each));
    }

    private void pods(String kind, double empty) throws Exception {
        var waiting = bench.storageClass(kind, "WaitForFirstConsumer");
        for (int i = 0; i < ROUNDS; i++) {
            var times = crowd.pods(waiting, PODS);
            System.out.printf(
                    "%s, %d pods at once: last claim bound %.0f ms, all ready %.0f ms, without"
                            + " volumes %.0f ms%n",
                    kind, PODS, times.bound(), times.ready(), empty);
            crowd.removePods();
            crowd.removeClaims();
        }
    }

    private void crowd(String storageClass) throws Exception {
        crowd.claims(storageClass, CROWD);
        crowd.removeClaims();
    }

    /**
     * The floor is taken off where each is compared with one alone. On a node with one processor,
     * nothing is faster than the floor and LVM's own commands in one process.
     */
    private static void print(
            String what,
            ToDoubleFunction<Times> time,
            Measured ours,
            Measured floor,
            Times raw,
            Times lvm) {
        double alone = time.applyAsDouble(ours.alone());
        double each = time.applyAsDouble(ours.each());
        double floorAlone = time.applyAsDouble(floor.alone());
        double floorEach = time.applyAsDouble(floor.each());
        double rawEach = time.applyAsDouble(raw);
        double lvmEach = time.applyAsDouble(lvm);
        System.out.printf(
                "| %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.2f | %.2f | %.0f | %.2f |%n",
                what,
                alone,
                floorAlone,
                each,
                floorEach,
                (each - floorEach) / (alone - floorAlone),
                rawEach,
                alone / rawEach,
                each / rawEach,
                lvmEach,
                each / (floorEach + lvmEach));
    }
}
