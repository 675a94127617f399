package lvms.node;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.Lvm;

import java.time.Duration;
import java.util.Locale;

/** How LVM answers on this node: its commands, the engine that runs them, dead workers. */
final class EngineMetrics implements Lvm.Listener {
    private static final double[] SECONDS = {
        .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 600
    };

    private final String node;
    private final Family<Histogram> seconds;
    private final Family<Counter> failures;

    private EngineMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        seconds =
                registry.histogram(
                        "lvms_lvm_command_duration_seconds",
                        "How long LVM commands took, by name.",
                        SECONDS,
                        "node",
                        "command");
        failures =
                registry.counter(
                        "lvms_lvm_command_failures_total",
                        "LVM commands that failed, by name; one that waits for a lock is repeated.",
                        "node",
                        "command");
    }

    /** Follows an LVM from now on. */
    static void follow(Lvm lvm, MetricsRegistry registry, String node) {
        lvm.onCommand(new EngineMetrics(registry, node));
        var engine =
                registry.gauge(
                        "lvms_lvm_engine",
                        "Whether this engine runs the LVM commands now: 1 if it does.",
                        "node",
                        "engine");
        for (var kind : EngineStatus.Kind.values()) {
            engine.with(node, kind.name().toLowerCase(Locale.ROOT))
                    .from(() -> lvm.engine().kind() == kind ? 1 : 0);
        }
        registry.counter(
                        "lvms_lvm_worker_deaths_total",
                        "LVM workers that died, but for those that were killed at a deadline.",
                        "node")
                .with(node)
                .from(() -> lvm.engine().workerDeaths());
    }

    @Override
    public void ended(String command, Duration took, boolean succeeded) {
        seconds.with(node, command).observe(took.toNanos() / 1e9);
        if (!succeeded) {
            failures.with(node, command).increment();
        }
    }
}
