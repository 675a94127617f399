package lvms.tests.bench.fleet;

import lvms.api.LogicalVolume;
import lvms.node.FleetAgents;
import lvms.tests.bench.cluster.Crowd;
import lvms.tests.bench.cluster.InstantProvisioner;
import lvms.tests.bench.cluster.Report;
import lvms.tests.bench.cluster.Watched;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Claims of pods that come at once and go at once, equally many on each node: each pod names its
 * node, and the scheduler looks whether there is room. Without that it would put pods that are
 * alike on one node. No pod starts, since there is no kubelet.
 */
record Burst(FleetPlane plane, FleetOptions options, Watched watched) {
    private static final String BINDING = "WaitForFirstConsumer";

    /** How much longer it may take than LVM and the rest of the cluster need. */
    private static final double MORE_MILLIS = 60_000;

    private record Times(double create, double remove, long mostOfANode) {}

    void run() throws Exception {
        Times floor;
        try (var instant = InstantProvisioner.start(plane.kube(), BINDING)) {
            floor = times(instant.storageClass());
        }
        var ours = times(FleetPlane.STORAGE_CLASS);
        Report.head(
                "%d claims of pods, %d on each of %d nodes; raw: LVM there"
                        .formatted(options.claims(), ours.mostOfANode(), options.agents()));
        row("created at once, all Bound", ours, floor, Times::create, options.times().creation());
        row("deleted at once, all gone", ours, floor, Times::remove, options.times().removal());
    }

    /** A claim before the others, since a cold process does not count. */
    private Times times(String storageClass) throws Exception {
        measure(storageClass, List.of(FleetAgents.nodeName(0)));
        return measure(storageClass, options.nodesOfClaims());
    }

    private Times measure(String storageClass, List<String> nodes) throws Exception {
        var crowd = new Crowd(plane.kube(), watched);
        double create = crowd.claimsOfPods(storageClass, nodes);
        long most = mostOfANode();
        crowd.removePodsWithoutKubelet();
        return new Times(create, crowd.removeClaims(), most);
    }

    private long mostOfANode() {
        return watched.list(LogicalVolume.TYPE, "").stream()
                .collect(
                        Collectors.groupingBy(
                                volume -> volume.text("spec", "nodeName").orElse(""),
                                Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static void row(
            String what, Times ours, Times floor, Function<Times, Double> millis, Duration engine) {
        double lvm = ours.mostOfANode() * engine.toMillis();
        double base = millis.apply(floor);
        Report.row(what, millis.apply(ours), base, lvm, base + lvm + MORE_MILLIS);
    }
}
