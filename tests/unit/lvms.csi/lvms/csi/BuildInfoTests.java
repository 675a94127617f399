package lvms.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.metrics.MetricsRegistry;

import org.junit.jupiter.api.Test;

/** A process tells its version and its commit; outside of an image nobody knows the commit. */
class BuildInfoTests {
    @Test
    void theMetricHasBoth() {
        var metrics = new MetricsRegistry();
        new BuildInfo("1.2.0", "4f0c").show(metrics);
        var line = "lvms_build_info{version=\"1.2.0\",commit=\"4f0c\"} 1\n";
        assertTrue(metrics.text().contains(line), metrics.text());
    }

    @Test
    void theTextIsASemanticVersion() {
        assertEquals("1.2.0+4f0c", new BuildInfo("1.2.0", "4f0c").text());
    }

    @Test
    void withoutAnImageThereIsNoCommit() {
        assertEquals(new BuildInfo("1.2.0", "unknown"), BuildInfo.of("1.2.0"));
        assertEquals("1.2.0", BuildInfo.of("1.2.0").text());
    }
}
