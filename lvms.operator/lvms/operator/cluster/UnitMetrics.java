package lvms.operator.cluster;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.unit.Outcome;

import java.util.List;

/** Counts how the passes of each unit ended. */
public final class UnitMetrics {
    private final Family<Counter> passes;

    public UnitMetrics(MetricsRegistry metrics) {
        this.passes =
                metrics.counter(
                        "lvms_unit_passes_total",
                        "Passes of a unit of the operator, such as csiDriver or vgManager.",
                        "unit",
                        "result");
    }

    public void count(List<UnitResult> results) {
        results.forEach(result -> passes.with(result.unit(), word(result)).increment());
    }

    private static String word(UnitResult result) {
        return result.outcome()
                .map(
                        outcome ->
                                switch (outcome) {
                                    case Outcome.Converged _ -> "converged";
                                    case Outcome.Pending _ -> "pending";
                                    case Outcome.Rejected _ -> "rejected";
                                })
                .orElse("failed");
    }
}
