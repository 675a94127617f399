package lvms.tests.lab.bench;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.scenario.Scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Milliseconds from a claim to Bound, by step, for one claim and for 50 at once, thick and thin,
 * beside plain {@code lvcreate} in the same node. A ratio of 1 is the speed of plain LVM.
 */
public final class ClaimsBenchmark {
    private static final int SINGLES = 10;
    private static final int CROWD = 50;
    private static final Duration SYNC = Duration.ofSeconds(30);
    private static final String CLASSES =
            """
            - name: thick
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubdb]
              storageClassOptions:
                volumeBindingMode: Immediate
            - name: thin
              default: true
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubdc]
              thinPoolConfig:
                name: thin-pool-1
                sizePercent: 90
                overprovisionRatio: 10
              storageClassOptions:
                volumeBindingMode: Immediate
            """;

    private final Scenario scenario;
    private final Map<String, Map<String, Long>> moments = new ConcurrentHashMap<>();

    private ClaimsBenchmark(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Runs the benchmark and prints a table. */
    public static void main(String[] arguments) throws Exception {
        try (var scenario = Scenario.start("bench-claims", CLASSES, 1)) {
            new ClaimsBenchmark(scenario).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        try (var volumes = watch(LogicalVolume.TYPE, this::volumeSeen);
                var claims = watch(Types.PVC, this::claimSeen)) {
            assert volumes.synced() && claims.synced();
            for (var kind : List.of("thick", "thin")) {
                measure(kind);
            }
        }
    }

    private Informer watch(ResourceType type, java.util.function.Consumer<KubeObject> seen)
            throws Exception {
        var informer = Informer.of(scenario.kube(), type).build();
        informer.addHandler((_, after) -> after.ifPresent(seen));
        informer.start();
        informer.awaitSync(SYNC);
        return informer;
    }

    private void volumeSeen(KubeObject volume) {
        mark(volume.name(), "LogicalVolume", true);
        mark(volume.name(), "created on the node", volume.text("status", "volumeID").isPresent());
    }

    private void claimSeen(KubeObject claim) {
        var volume = "pvc-" + claim.uid();
        mark(volume, "volume named", claim.text("spec", "volumeName").isPresent());
        mark(volume, "Bound", claim.text("status", "phase").orElse("").equals("Bound"));
    }

    private void mark(String volume, String step, boolean reached) {
        if (reached) {
            moments.computeIfAbsent(volume, _ -> new ConcurrentHashMap<>())
                    .putIfAbsent(step, System.nanoTime());
        }
    }

    private void measure(String kind) throws Exception {
        var node = scenario.cluster().node("node1");
        run(kind, 1); // a first activation of a pool and a cold worker do not count
        double rawOne = raw(node, kind, SINGLES) / SINGLES;
        double rawMany = raw(node, kind, CROWD);
        var steps = new LinkedHashMap<String, List<Double>>();
        for (int i = 0; i < SINGLES; i++) {
            run(kind, 1)
                    .forEach(
                            (step, ms) ->
                                    steps.computeIfAbsent(step, _ -> new ArrayList<>()).add(ms));
        }
        System.out.printf("%n%s, one claim, median of %d%n", kind, SINGLES);
        steps.forEach((step, times) -> print(step, median(times), rawOne));
        print("lvcreate alone", rawOne, rawOne);
        double crowd = run(kind, CROWD).get("Bound");
        System.out.printf("%n%s, %d claims at once%n", kind, CROWD);
        print("all Bound", crowd, rawMany);
        print("lvcreate in a loop", rawMany, rawMany);
    }

    private static void print(String what, double ms, double raw) {
        System.out.printf("  %-24s %9.0f ms %8.2f x raw%n", what, ms, ms / raw);
    }

    private static double median(List<Double> times) {
        return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow();
    }

    /** Makes claims at once; returns the time of the last one at each step, in milliseconds. */
    private Map<String, Double> run(String kind, int count) throws Exception {
        moments.clear();
        long began = System.nanoTime();
        try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                var name = "bench-" + i;
                threads.submit(
                        () -> {
                            scenario.claim(name, "16Mi", "lvms-" + kind);
                            return null;
                        });
            }
        }
        scenario.await("all claims are bound", () -> reached("Bound") == count);
        var times = new LinkedHashMap<String, Double>();
        for (var step : List.of("LogicalVolume", "created on the node", "volume named", "Bound")) {
            long last =
                    moments.values().stream()
                            .mapToLong(m -> m.getOrDefault(step, began))
                            .max()
                            .orElse(began);
            times.put(step, (last - began) / 1e6);
        }
        remove(count);
        return times;
    }

    private long reached(String step) {
        return moments.values().stream().filter(m -> m.containsKey(step)).count();
    }

    private void remove(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            var key = ObjectKey.of("default", "bench-" + i);
            scenario.kube().delete(Types.PVC, key, DeleteOptions.any());
        }
        scenario.await("all volumes are gone", () -> scenario.logicalVolumes().isEmpty());
    }

    /** Milliseconds that plain lvcreate takes for so many volumes, one after the other. */
    private static double raw(Node node, String kind, int count) throws Exception {
        var create =
                kind.equals("thin")
                        ? "lvcreate -qq -y -V 16M -n raw$i thin/thin-pool-1"
                        : "lvcreate -qq -y -L 16M -n raw$i thick";
        var script =
                ("b=$(date +%%s%%N); i=0; while [ $i -lt %d ]; do %s >/dev/null 2>&1 || exit 1;"
                                        + " i=$((i+1)); done;")
                                .formatted(count, create)
                        + " e=$(date +%s%N); i=0; while [ $i -lt "
                        + count
                        + " ]; do lvremove -qq -y "
                        + kind
                        + "/raw$i >/dev/null 2>&1; i=$((i+1)); done; echo $((e-b))";
        var result = node.run(List.of("sh", "-c", script), Duration.ofMinutes(3));
        return Double.parseDouble(result.require("plain lvcreate")) / 1e6;
    }
}
