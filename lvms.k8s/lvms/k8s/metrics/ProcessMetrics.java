package lvms.k8s.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code process_*} metrics of this process, with the names that Prometheus' own libraries use.
 * They are read when somebody reads them; what the machine does not tell stays 0.
 */
public final class ProcessMetrics {
    private static final Path PROC = Path.of("/proc/self");

    private ProcessMetrics() {}

    /**
     * Returns a registry with the metrics of this process and of its JVM.
     *
     * @param served whether anybody can read it; if not, it keeps nothing
     */
    public static MetricsRegistry registry(boolean served) {
        if (!served) {
            return MetricsRegistry.unread();
        }
        var registry = new MetricsRegistry();
        addTo(registry);
        return registry;
    }

    private static void addTo(MetricsRegistry registry) {
        var self = ProcessHandle.current();
        registry.counter(
                        "process_cpu_seconds_total",
                        "CPU time that the process has used, its own and the kernel's.")
                .with()
                .from(() -> seconds(self.info().totalCpuDuration().orElse(Duration.ZERO)));
        registry.gauge(
                        "process_start_time_seconds",
                        "When the process started, in seconds since 1970.")
                .with()
                .set(self.info().startInstant().orElseGet(Instant::now).toEpochMilli() / 1e3);
        registry.gauge("process_open_fds", "File descriptors that are open.")
                .with()
                .from(() -> entries(PROC.resolve("fd")));
        registry.gauge("process_max_fds", "How many file descriptors may be open.")
                .with()
                .from(() -> number("limits", "Max open files", 3));
        registry.gauge("process_virtual_memory_bytes", "Address space of the process.")
                .with()
                .from(() -> number("status", "VmSize:", 1) * 1024);
        registry.gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.")
                .with()
                .from(() -> number("status", "VmRSS:", 1) * 1024);
        JvmMetrics.addTo(registry);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static long entries(Path folder) {
        try (var all = Files.list(folder)) {
            return all.count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Reads a word of the line that begins so, counted from 0; a limit may be no number. */
    private static double number(String file, String start, int word) {
        return lines(PROC.resolve(file)).stream()
                .filter(line -> line.startsWith(start))
                .map(line -> Arrays.asList(line.split("\\s+")).get(word))
                .mapToDouble(
                        text ->
                                text.equals("unlimited")
                                        ? Double.POSITIVE_INFINITY
                                        : Double.parseDouble(text))
                .findFirst()
                .orElse(0);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
