package lvms.tests.conformance.takeover;

import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A kube-scheduler of its own that asks the extender on node1, whose points count more than all
 * else. The cluster's was there before any node.
 */
record ExtendedScheduler(Process process, Path log) implements AutoCloseable {
    /** What a pod says that is for this one. */
    static final String NAME = "with-extender";

    private static final String CONFIG =
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            clientConnection: {kubeconfig: "%s"}
            profiles: [{schedulerName: %s}]
            extenders:
              - urlPrefix: http://%s:9251
                filterVerb: predicate
                prioritizeVerb: prioritize
                nodeCacheCapable: false
                weight: 100
                managedResources: [{name: topolvm.io/capacity, ignoredByScheduler: true}]
            """;

    static ExtendedScheduler start(Product product, Path folder) throws Exception {
        var cluster = product.cluster();
        var config =
                Files.writeString(
                        folder.resolve("scheduler.yaml"),
                        CONFIG.formatted(
                                cluster.kubeconfig(), NAME, cluster.node("node1").address()));
        var log = folder.resolve("scheduler.log");
        var program = Programs.find().kubernetes(Programs.NEWEST, "kube-scheduler");
        var process =
                new ProcessBuilder(
                                "setpriv",
                                "--pdeathsig",
                                "KILL",
                                "nsenter",
                                "--net=" + cluster.networkNamespace(),
                                program.toString(),
                                "--config=" + config,
                                "--secure-port=0",
                                "--vmodule=schedule_one=10")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return new ExtendedScheduler(process, log);
    }

    /** Returns the points that the extender gave each node for a pod, as this one read them. */
    Map<String, Long> points(String pod) throws IOException {
        var line =
                Pattern.compile(
                        ("Extender scored node for pod\" pod=\"[^\"]*/%s\" .* node=\"(\\S+)\""
                                        + " score=(\\d+)")
                                .formatted(pod));
        var points = new TreeMap<String, Long>();
        var found = line.matcher(Files.readString(log));
        while (found.find()) {
            points.put(found.group(1), Long.parseLong(found.group(2)));
        }
        return points;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
