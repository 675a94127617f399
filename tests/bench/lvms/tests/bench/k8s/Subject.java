package lvms.tests.bench.k8s;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A client that is measured.
 *
 * @param name as in the table
 * @param command without the arguments
 */
record Subject(String name, List<String> command) {
    private static final Path FOLDER = Path.of("out/bench/k8s");
    private static final Path CACHE = FOLDER.resolve("lvms.aot");

    private static final int STARTS = 3;
    private static final int WARM_UPS = 3; // rounds that are not counted: both JVMs compile
    private static final int ROUNDS = 3;
    private static final int RECONCILED = 2000;
    private static final int RECONCILED_PER_SECOND = 500;

    /** Returns all of them, ours first; makes our AOT cache. */
    static List<Subject> all(List<String> jvmOptions) throws Exception {
        var training = ours(jvmOptions, "-XX:AOTCacheOutput=" + CACHE);
        Files.deleteIfExists(CACHE);
        try (var server = new Served(100, true);
                var client = training.open(server)) {
            client.await("synced");
            server.events(100, 0, 'R');
            client.await("round");
            client.say("reconcile 100");
            client.await("reconciling");
            server.events(100, 0, 'L');
            client.await("latency");
        }
        var fabric8 = java(jvmOptions);
        fabric8.addAll(
                List.of("--class-path", FOLDER + "/fabric8-client:" + FOLDER + "/fabric8/*"));
        fabric8.add("lvms.tests.bench.fabric8.Fabric8Client");
        return List.of(
                ours(jvmOptions, "-XX:AOTCache=" + CACHE),
                new Subject("fabric8", fabric8),
                new Subject("client-go", List.of(FOLDER + "/informer")));
    }

    /** The same jars as in a repository of ours: an AOT cache needs jars. */
    private static Subject ours(List<String> jvmOptions, String aot) throws IOException {
        try (var jars = Files.list(FOLDER.resolve("lvms"))) {
            var path = jars.sorted(Comparator.naturalOrder()).map(Path::toString).toList();
            var command = java(jvmOptions);
            command.addAll(List.of(aot, "--class-path", String.join(":", path)));
            command.add("lvms.tests.bench.k8s.client.LvmsClient");
            return new Subject("lvms.k8s", command);
        }
    }

    private static List<String> java(List<String> options) {
        var command = new ArrayList<String>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(options);
        return command;
    }

    private Peer open(Served server) throws IOException {
        var all = new ArrayList<>(command);
        all.add("http://127.0.0.1:" + server.port());
        all.add(Integer.toString(server.pods()));
        return new Peer(name, all);
    }

    /** Measures this client; the base is what it keeps of one pod. */
    Row measured(int pods) throws Exception {
        var starts = new ArrayList<Double>();
        long base = 0;
        try (var one = new Served(1, true)) {
            for (int i = 0; i < STARTS; i++) {
                long begun = System.nanoTime();
                try (var client = open(one)) {
                    client.await("synced");
                    starts.add((System.nanoTime() - begun) / 1e6);
                    client.say("kept");
                    base = client.await("kept")[0];
                }
            }
        }
        double plain;
        try (var server = new Served(pods, false);
                var client = open(server)) {
            client.await("synced");
            client.say("kept");
            plain = (double) (client.await("kept")[0] - base) / (pods - 1);
        }
        try (var server = new Served(pods, true)) {
            return followed(server, base, median(starts), plain);
        }
    }

    private Row followed(Served server, long base, double startMillis, double plainBytes)
            throws Exception {
        long begun = System.nanoTime();
        try (var client = open(server)) {
            double syncedMillis = client.await("synced")[0];
            double startToSynced = (System.nanoTime() - begun) / 1e6;
            double peak = client.peakBytes();
            client.say("kept");
            double kept = (double) (client.await("kept")[0] - base) / (server.pods() - 1);
            var rates = new ArrayList<Double>();
            for (int i = 0; i < WARM_UPS + ROUNDS; i++) {
                server.events(server.pods(), 0, 'R');
                double micros = client.await("round")[0];
                if (i >= WARM_UPS) {
                    rates.add((server.pods() - 1) * 1e6 / micros);
                }
            }
            int marked = Math.min(RECONCILED, server.pods());
            client.say("reconcile " + marked);
            client.await("reconciling");
            server.events(marked, RECONCILED_PER_SECOND, 'L');
            var latency = client.await("latency");
            return new Row(
                    startMillis,
                    startToSynced,
                    syncedMillis,
                    peak,
                    kept,
                    plainBytes,
                    median(rates),
                    latency[0],
                    latency[1]);
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
