package lvms.k8s.metrics;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.function.Supplier;

/** The {@code jvm_*} metrics, with the names that Prometheus' Java library uses. */
final class JvmMetrics {
    private JvmMetrics() {}

    static void addTo(MetricsRegistry registry) {
        registry.gauge(
                        "jvm_runtime_info",
                        "Which Java runtime this is; always 1.",
                        "version",
                        "vendor",
                        "runtime")
                .with(
                        System.getProperty("java.runtime.version"),
                        System.getProperty("java.vm.vendor"),
                        System.getProperty("java.runtime.name"))
                .set(1);
        addMemory(registry, ManagementFactory.getMemoryMXBean());
        addPools(registry);
        addBuffers(registry);
        addThreads(registry);
        addClasses(registry);
        addCollections(registry);
    }

    private static void addMemory(MetricsRegistry registry, MemoryMXBean memory) {
        var used =
                registry.gauge(
                        "jvm_memory_used_bytes", "Memory that objects or code take up.", "area");
        var committed =
                registry.gauge(
                        "jvm_memory_committed_bytes",
                        "Memory that the JVM has from the system.",
                        "area");
        var most =
                registry.gauge(
                        "jvm_memory_max_bytes",
                        "Memory that the area may have; -1 if there is no limit.",
                        "area");
        Map<String, Supplier<MemoryUsage>> areas =
                Map.of(
                        "heap",
                        memory::getHeapMemoryUsage,
                        "nonheap",
                        memory::getNonHeapMemoryUsage);
        areas.forEach(
                (area, usage) -> {
                    used.with(area).from(() -> usage.get().getUsed());
                    committed.with(area).from(() -> usage.get().getCommitted());
                    most.with(area).from(() -> usage.get().getMax());
                });
    }

    /** What collections leave in each part of the heap tells how near it is to its limit. */
    private static void addPools(MetricsRegistry registry) {
        var lived =
                registry.gauge(
                        "jvm_memory_pool_collection_used_bytes",
                        "Memory of a part of the heap that was used after its last collection.",
                        "pool");
        var most =
                registry.gauge(
                        "jvm_memory_pool_max_bytes",
                        "Memory that a part of the heap may have; -1 if there is no limit.",
                        "pool");
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                lived.with(pool.getName()).from(() -> pool.getCollectionUsage().getUsed());
                most.with(pool.getName()).from(() -> pool.getUsage().getMax());
            }
        }
    }

    private static void addBuffers(MetricsRegistry registry) {
        var used =
                registry.gauge(
                        "jvm_buffer_pool_used_bytes",
                        "Memory of buffers outside of the heap.",
                        "pool");
        for (var pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            used.with(pool.getName()).from(pool::getMemoryUsed);
        }
    }

    /** Virtual threads are not among them. */
    private static void addThreads(MetricsRegistry registry) {
        var threads = ManagementFactory.getThreadMXBean();
        registry.gauge("jvm_threads_current", "Platform threads that run.")
                .with()
                .from(threads::getThreadCount);
        registry.gauge("jvm_threads_daemon", "Platform threads that do not keep the JVM alive.")
                .with()
                .from(threads::getDaemonThreadCount);
        registry.gauge("jvm_threads_peak", "The most platform threads that ran at once.")
                .with()
                .from(threads::getPeakThreadCount);
        registry.counter("jvm_threads_started_total", "Platform threads that were started.")
                .with()
                .from(threads::getTotalStartedThreadCount);
    }

    private static void addClasses(MetricsRegistry registry) {
        var classes = ManagementFactory.getClassLoadingMXBean();
        registry.gauge("jvm_classes_currently_loaded", "Classes that are loaded.")
                .with()
                .from(classes::getLoadedClassCount);
        registry.counter("jvm_classes_loaded_total", "Classes that were loaded since the start.")
                .with()
                .from(classes::getTotalLoadedClassCount);
    }

    private static void addCollections(MetricsRegistry registry) {
        var collections =
                registry.summary(
                        "jvm_gc_collection_seconds",
                        "Garbage collections, and the time they took.",
                        "gc");
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections
                    .with(collector.getName())
                    .from(collector::getCollectionCount, () -> collector.getCollectionTime() / 1e3);
        }
    }
}
