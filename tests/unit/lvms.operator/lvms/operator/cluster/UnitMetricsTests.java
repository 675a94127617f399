package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.unit.Outcome;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class UnitMetricsTests {
    @Test
    void theResultOfEachUnitIsCounted() {
        var registry = new MetricsRegistry();
        var metrics = new UnitMetrics(registry);
        var done = UnitResult.ended("csiDriver", new Outcome.Converged());
        metrics.count(List.of(done, UnitResult.failed("vgManager", new Exception("no"))));
        metrics.count(
                List.of(
                        done,
                        UnitResult.ended(
                                "lvmVG", new Outcome.Pending("waits", Duration.ofSeconds(1)))));
        var page = registry.text();
        for (var line :
                List.of(
                        "{unit=\"csiDriver\",result=\"converged\"} 2",
                        "{unit=\"vgManager\",result=\"failed\"} 1",
                        "{unit=\"lvmVG\",result=\"pending\"} 1")) {
            assertTrue(page.contains("lvms_unit_passes_total" + line), page);
        }
    }
}
