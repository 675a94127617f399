package lvms.tests.bench.cluster;

import lvms.api.Names;
import lvms.tests.cluster.workload.Product;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/**
 * How long a node that lost its power takes until its pods are Ready again: pods without volumes,
 * then the same number of pods with volumes of a thin class, on the same node. Each volume has a
 * file that was synced before and is compared after.
 */
public final class RebootBench {
    private static final int VOLUMES_EACH = 5;

    private RebootBench() {}

    /** Runs it: {@code [--quick]}. */
    public static void main(String[] words) throws Exception {
        int pods =
                switch (Arrays.asList(words).toString()) {
                    case "[]" -> 50;
                    case "[--quick]" -> 5;
                    default -> throw new IllegalArgumentException("usage: bench reboot [--quick]");
                };
        try (var bench = BenchCluster.start()) {
            bench.product().install();
            try (var watched = Watched.openWithNodes(bench.kube())) {
                run(bench, new Crowd(bench.kube(), watched), pods);
            }
        }
        System.exit(0);
    }

    private static void run(BenchCluster bench, Crowd crowd, int pods) throws Exception {
        crowd.emptyPods(pods);
        var without = new Reboot(bench, crowd, 0).measure();
        crowd.removePods();
        int volumes = pods * VOLUMES_EACH;
        crowd.pods(bench.storageClass(Product.THIN, "Immediate"), pods, VOLUMES_EACH);
        var files = new SyncedFiles(bench.node());
        files.write(volumes);
        var with = new Reboot(bench, crowd, volumes).measure();
        files.requireUnchanged();
        keepLogs(bench);
        print(pods, volumes, without, with);
    }

    /** What kubelet and the agent said since the last boot tells where the time went. */
    private static void keepLogs(BenchCluster bench) throws Exception {
        var folder = Files.createDirectories(Path.of("out/bench/reboot"));
        var inSystem = "--namespace=" + Product.SYSTEM;
        Files.writeString(
                folder.resolve("agent.log"),
                bench.product().kubectl("logs", inSystem, "daemonset/" + Names.VG_MANAGER));
        Files.copy(
                Reboot.kubeletLog(bench.node()),
                folder.resolve("kubelet.log"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static void print(int pods, int volumes, Reboot.Times without, Reboot.Times with) {
        System.out.printf(
                "%n%d pods, without a volume and with %d each, after the power was cut; the files"
                        + " of all %d volumes are as they were%n%n",
                pods, VOLUMES_EACH, volumes);
        System.out.println("| seconds after the cut                   | without | with volumes |");
        System.out.println("| --------------------------------------- | ------: | -----------: |");
        row("kubelet ready", without.kubelet(), with.kubelet());
        row("node agent registered", without.registered(), with.registered());
        row("first volume active", 0, with.firstActive());
        row("all volumes active", 0, with.active());
        var counts = List.of("first pod ready", "half of the pods ready", "last pod ready");
        for (int i = 0; i < counts.size(); i++) {
            row(counts.get(i), without.pods().get(i), with.pods().get(i));
        }
        System.out.printf(
                "%nmore for each volume: %.0f ms until the last pod was ready%n",
                (with.pods().getLast() - without.pods().getLast()) / volumes);
    }

    private static void row(String what, double without, double with) {
        System.out.printf(
                "| %-39s | %7s | %12.1f |%n",
                what, without == 0 ? "-" : "%.1f".formatted(without / 1e3), with / 1e3);
    }
}
