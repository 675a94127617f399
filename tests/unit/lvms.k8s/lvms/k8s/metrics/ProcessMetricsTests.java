package lvms.k8s.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;

import java.time.Instant;

/** The metrics of the process are those of this process, now. */
@LinuxOnly
class ProcessMetricsTests {
    private final MetricsRegistry registry = ProcessMetrics.registry(true);

    private double value(String series) {
        return registry.text()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " is not in " + registry.text()));
    }

    @Test
    void tellsWhatTheKernelKnowsOfTheProcess() {
        long now = Instant.now().getEpochSecond();
        double started = value("process_start_time_seconds");
        assertTrue(started > now - 86_400 && started <= now, () -> started + " but now is " + now);
        assertTrue(value("process_cpu_seconds_total") > 0);
        assertTrue(value("process_open_fds") > 2);
        assertTrue(value("process_max_fds") > value("process_open_fds"));
        double resident = value("process_resident_memory_bytes");
        assertTrue(resident > 1 << 20 && resident < value("process_virtual_memory_bytes"));
    }

    @Test
    void tellsWhatTheJvmKnowsOfItself() {
        double used = value("jvm_memory_used_bytes{area=\"heap\"}");
        assertTrue(used > 0 && used <= value("jvm_memory_committed_bytes{area=\"heap\"}"));
        assertEquals(
                Runtime.getRuntime().maxMemory(), value("jvm_memory_max_bytes{area=\"heap\"}"));
        var old = "{pool=\"Tenured Gen\"}";
        double most = value("jvm_memory_pool_max_bytes" + old);
        assertTrue(most > 0 && most <= Runtime.getRuntime().maxMemory());
        System.gc();
        double lived = value("jvm_memory_pool_collection_used_bytes" + old);
        assertTrue(lived > 0 && lived <= most);
        assertTrue(value("jvm_threads_current") >= value("jvm_threads_daemon"));
        assertTrue(value("jvm_classes_currently_loaded") > 100);
        assertTrue(registry.text().contains("jvm_gc_collection_seconds_count{gc="));
        assertTrue(registry.text().contains("jvm_buffer_pool_used_bytes{pool=\"direct\"}"));
    }
}
