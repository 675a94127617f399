package lvms.tests.cluster.workload;

import lvms.tests.cluster.Cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What a person wants to know about a cluster in which a test failed. */
final class Diagnosis {
    private static final Path FOLDER = Path.of("out/conformance");
    private static final String LANE = System.getProperty("lvms.lane", "1");
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String KINDS =
            "lvmclusters,nodes,pods,persistentvolumeclaims,persistentvolumes,logicalvolumes";

    private static final String TOPOLVM = "--namespace=topolvm-system";

    private Diagnosis() {}

    /** Writes everything to a file, and returns its name with the warnings of the namespace. */
    static String of(Cluster cluster, String namespace, String system) {
        try {
            var file =
                    FOLDER.resolve("diagnosis-%s-%d.txt".formatted(LANE, NUMBER.incrementAndGet()));
            Files.createDirectories(FOLDER);
            Files.writeString(file, everything(cluster, namespace, system));
            var events = kubectl(cluster, "get", "events", "--namespace=" + namespace);
            return "see " + file.toAbsolutePath() + "\n" + events;
        } catch (IOException e) {
            return "no diagnosis: " + e;
        }
    }

    private static String everything(Cluster cluster, String namespace, String system)
            throws IOException {
        var text = new StringBuilder();
        for (var arguments :
                List.of(
                        List.of("get", KINDS, "--all-namespaces", "--output=wide"),
                        List.of("get", "events", "--all-namespaces", "--sort-by=.lastTimestamp"),
                        List.of("describe", "pods,pvc", "--namespace=" + namespace),
                        List.of("get", "logicalvolumes,lvmclusters", "-A", "--output=yaml"),
                        List.of("get", "lvmvolumegroupnodestatus", "-A", "--output=yaml"),
                        logs(system, "lvms-operator"),
                        logs(system, "vg-manager"),
                        List.of("logs", TOPOLVM, "--selector=!none", "--tail=400", "--prefix"),
                        List.of("logs", TOPOLVM, "--selector=!none", "--previous", "--prefix"))) {
            text.append("$ kubectl ").append(String.join(" ", arguments)).append('\n');
            text.append(kubectl(cluster, arguments.toArray(String[]::new))).append('\n');
        }
        for (var node : cluster.nodes()) {
            text.append("$ on ").append(node).append('\n').append(disks(node.name(), cluster));
        }
        return text.toString();
    }

    private static List<String> logs(String system, String name) {
        var selector = "--selector=app.kubernetes.io/name=" + name;
        return List.of("logs", "--namespace=" + system, selector, "--tail=400", "--prefix");
    }

    private static String disks(String node, Cluster cluster) throws IOException {
        var script = "dmsetup info --columns; dmsetup table; losetup --list; cat /proc/mounts";
        var result = cluster.node(node).run("sh", "-c", script);
        return result.out() + result.err() + '\n';
    }

    private static String kubectl(Cluster cluster, String... arguments) {
        try {
            var result = cluster.kubectl(arguments);
            return result.out() + result.err();
        } catch (IOException e) {
            return e + "\n";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted\n";
        }
    }
}
