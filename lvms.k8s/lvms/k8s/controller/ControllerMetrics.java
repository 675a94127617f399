package lvms.k8s.controller;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;

/**
 * The {@code controller_runtime_*} metrics of one controller, which exist at zero from the start.
 */
final class ControllerMetrics {
    private static final double[] SECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8,
        0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30,
        40, 50, 60
    };

    private final String name;
    private final Family<Counter> results;
    private final Counter errors;
    private final Counter terminalErrors;
    private final Counter panics;
    private final Counter timeouts;
    private final Histogram seconds;
    private final Gauge active;

    ControllerMetrics(MetricsRegistry registry, String name, int workers) {
        this.name = name;
        results =
                registry.counter(
                        "controller_runtime_reconcile_total",
                        "Passes by result.",
                        "controller",
                        "result");
        for (var result : new String[] {"success", "error", "requeue", "requeue_after"}) {
            results.with(name, result);
        }
        errors =
                counter(
                        registry,
                        "controller_runtime_reconcile_errors_total",
                        "Passes that failed.");
        terminalErrors =
                counter(
                        registry,
                        "controller_runtime_terminal_reconcile_errors_total",
                        "Passes that cannot succeed before the object changes.");
        panics =
                counter(
                        registry,
                        "controller_runtime_reconcile_panics_total",
                        "Passes that ended with an unexpected exception.");
        timeouts =
                counter(
                        registry,
                        "controller_runtime_reconcile_timeouts_total",
                        "Passes that were interrupted, since they took too long.");
        seconds =
                registry.histogram(
                                "controller_runtime_reconcile_time_seconds",
                                "Time a pass took.",
                                SECONDS,
                                "controller")
                        .with(name);
        active =
                gauge(
                        registry,
                        "controller_runtime_active_workers",
                        "Workers that are running a pass.");
        gauge(registry, "controller_runtime_max_concurrent_reconciles", "Workers.").set(workers);
    }

    private Counter counter(MetricsRegistry registry, String metric, String help) {
        return registry.counter(metric, help, "controller").with(name);
    }

    private Gauge gauge(MetricsRegistry registry, String metric, String help) {
        return registry.gauge(metric, help, "controller").with(name);
    }

    void started() {
        active.add(1);
    }

    void ended(long startNanos) {
        active.add(-1);
        seconds.observeSince(startNanos);
    }

    void result(Result result) {
        var label =
                switch (result) {
                    case Result.Done _ -> "success";
                    case Result.RequeueAfter _ -> "requeue_after";
                    case Result.Requeue _ -> "requeue";
                    case Result.Terminal _ -> "error";
                };
        results.with(name, label).increment();
        if (result instanceof Result.Terminal) {
            errors.increment();
            terminalErrors.increment();
        }
    }

    void timedOut() {
        timeouts.increment();
    }

    void failed(boolean bug) {
        results.with(name, "error").increment();
        errors.increment();
        if (bug) {
            panics.increment();
        }
    }
}
