package lvms.tests.bench.cluster;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Product;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One hard stop of the node and its new start, with all pods on it.
 *
 * @param volumes how many thin volumes the pods have
 */
record Reboot(BenchCluster bench, Crowd crowd, int volumes) {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final long PAUSE_MILLIS = 50;

    /** What kubelet logs when a driver is registered; the CSINode had it before and keeps it. */
    private static final String REGISTERED = "Register new plugin with name: topolvm.io";

    // One process looks, since the node has one CPU, and at names only when it has to. It prints
    // the milliseconds from the first active volume to the last.
    private static final String ACTIVE =
            """
            perl -MTime::HiRes=sleep,time -e '
                my $first;
                while (1) {
                    my @devices = glob("/sys/block/dm-*");
                    if (!$first || @devices >= %1$d) {
                        my $active = 0;
                        for (@devices) {
                            open(my $file, "<", "$_/dm/name") or next;
                            $active++ if <$file> =~ /^thin-(?!pool)/;
                        }
                        $first ||= time if $active;
                        if ($active >= %1$d) {
                            printf "%%d", (time - $first) * 1000;
                            exit 0;
                        }
                    }
                    sleep 0.1;
                }'
            """;

    /**
     * Milliseconds from the cut.
     *
     * @param kubelet until the Node is Ready by the kubelet of the new boot
     * @param registered until kubelet has registered the driver
     * @param firstActive until the first volume has a device; 0 without volumes
     * @param active until all of them have one
     * @param pods until the first, half and all of the pods are Ready with a new container
     */
    record Times(
            double kubelet,
            double registered,
            double firstActive,
            double active,
            List<Double> pods) {}

    Times measure() throws Exception {
        var before = containers();
        var boot = bootId();
        var log = kubeletLog(bench.node());
        long logged = Files.size(log);
        long began = System.nanoTime();
        bench.node().powerCut();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var kubelet = threads.submit(() -> awaitKubelet(began, boot));
            var registered = threads.submit(() -> awaitRegistered(began, log, logged));
            var pods = new ArrayList<Future<Double>>();
            for (int count : List.of(1, (before.size() + 1) / 2, before.size())) {
                pods.add(threads.submit(awaitPods(began, before, count)));
            }
            bench.node().boot();
            long spread = volumes == 0 ? 0 : awaitActive();
            double active = volumes == 0 ? 0 : since(began);
            var ready = new ArrayList<Double>();
            for (var pod : pods) {
                ready.add(pod.get());
            }
            return new Times(kubelet.get(), registered.get(), active - spread, active, ready);
        }
    }

    static Path kubeletLog(ClusterNode node) throws IOException {
        return node.folder().resolve("share/kubelet.log");
    }

    private String bootId() {
        return crowd.watched().list(Types.NODE, "").stream()
                .flatMap(node -> node.text("status", "nodeInfo", "bootID").stream())
                .findFirst()
                .orElseThrow();
    }

    private double awaitKubelet(long began, String boot) throws InterruptedException {
        return crowd.watched()
                .await(
                        "kubelet is ready",
                        began,
                        () ->
                                crowd.watched().list(Types.NODE, "").stream()
                                        .anyMatch(
                                                node ->
                                                        !bootId().equals(boot)
                                                                && Product.holds(node, "Ready")));
    }

    private static double awaitRegistered(long began, Path log, long from)
            throws IOException, InterruptedException {
        long end = began + PATIENCE.toNanos();
        while (!textFrom(log, from).contains(REGISTERED)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the driver is not registered: see " + log);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return since(began);
    }

    private static String textFrom(Path log, long from) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            var rest = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(rest);
            return new String(rest, StandardCharsets.UTF_8);
        }
    }

    /** Returns the milliseconds from the first to the last. */
    private long awaitActive() throws IOException {
        var script = List.of("sh", "-c", ACTIVE.formatted(volumes));
        var printed = bench.node().run(script, PATIENCE).require("volumes are active");
        return Long.parseLong(printed.strip());
    }

    private static double since(long began) {
        return (System.nanoTime() - began) / 1e6;
    }

    private Callable<Double> awaitPods(long began, Set<String> before, int count) {
        return () ->
                crowd.watched()
                        .await(
                                count + " pods are ready again",
                                began,
                                () -> readyAgain(before) >= count);
    }

    /** Until kubelet is back, the pods' status is that of the time before. */
    private long readyAgain(Set<String> before) {
        return pods().stream()
                .filter(pod -> Product.holds(pod, "Ready"))
                .filter(pod -> containers(pod).stream().noneMatch(before::contains))
                .count();
    }

    private Set<String> containers() {
        var all = new HashSet<String>();
        pods().forEach(pod -> all.addAll(containers(pod)));
        return all;
    }

    private List<KubeObject> pods() {
        return crowd.watched().list(Types.POD, Crowd.NAMESPACE);
    }

    private static List<String> containers(KubeObject pod) {
        return pod.objects("status", "containerStatuses").stream()
                .flatMap(status -> KubeObject.of(status).text("containerID").stream())
                .toList();
    }
}
