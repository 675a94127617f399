package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** What becomes of the volumes of this node, as numbers. Any thread may call. */
final class VolumeMetrics {
    private static final double[] SECONDS = {.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 1800};
    private static final String[] CLASS = {"node", "device_class"};
    private static final String[] OPERATION = {"node", "operation"};

    private final String node;
    private final Family<Gauge> volumes;
    private final Family<Gauge> unclaimed;
    private final Family<Gauge> missing;
    private final Family<Counter> operations;
    private final Family<Counter> failures;
    private final Histogram lag;
    private Set<Group> shown = Set.of();

    /** What is done with a volume. */
    enum Operation {
        /** A volume that was there before, and is found again, counts too. */
        CREATE,
        GROW,
        REMOVE;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Volumes that are counted together. */
    private record Group(String deviceClass, String state) {
        static Group of(LogicalVolume volume, DeviceClasses classes) {
            return new Group(
                    classes.find(volume.spec().deviceClass()).map(NodeDeviceClass::name).orElse(""),
                    stateOf(volume));
        }
    }

    VolumeMetrics(MetricsRegistry registry, String node) {
        this.node = node;
        volumes =
                registry.gauge(
                        "lvms_volumes",
                        "LogicalVolumes of this node: pending, growing, ready, failed or"
                                + " terminating.",
                        "node",
                        "device_class",
                        "state");
        unclaimed =
                registry.gauge(
                        "lvms_unclaimed_volumes",
                        "Logical volumes of ours that no LogicalVolume names.",
                        CLASS);
        missing =
                registry.gauge(
                        "lvms_missing_volumes",
                        "LogicalVolumes whose logical volume is not on the node.",
                        CLASS);
        operations =
                registry.counter(
                        "lvms_volume_operations_total",
                        "Volumes that were created, grown or removed.",
                        OPERATION);
        failures =
                registry.counter(
                        "lvms_volume_operation_failures_total",
                        "Tries to create, grow or remove a volume that failed for a reason that"
                                + " will not pass by itself.",
                        OPERATION);
        lag =
                registry.histogram(
                                "lvms_volume_event_lag_seconds",
                                "From the creation of a LogicalVolume, which the API server notes"
                                        + " in whole seconds, to its event here.",
                                SECONDS,
                                "node")
                        .with(node);
        for (var operation : Operation.values()) { // an increase from nothing is none
            operations.with(node, operation.text());
            failures.with(node, operation.text());
        }
    }

    /** A volume was worked on with success. */
    void done(Operation operation) {
        operations.with(node, operation.text()).increment();
    }

    /** Work on a volume failed, and a repetition alone will not help. */
    void failed(Operation operation) {
        failures.with(node, operation.text()).increment();
    }

    /** The server has told of a new object. */
    void seen(Instant created, Instant now) {
        lag.observe(Math.max(0, Duration.between(created, now).toMillis() / 1e3));
    }

    /** Disk and objects of a class were compared. */
    void compared(String deviceClass, int withoutObject, int withoutVolume) {
        unclaimed.with(node, deviceClass).set(withoutObject);
        missing.with(node, deviceClass).set(withoutVolume);
    }

    /** A class is gone. */
    void forget(String deviceClass) {
        unclaimed.remove(node, deviceClass);
        missing.remove(node, deviceClass);
    }

    /** Counts the objects whenever the metrics are read. */
    void count(
            MetricsRegistry registry,
            Supplier<List<LogicalVolume>> objects,
            Supplier<DeviceClasses> classes) {
        registry.beforeReading(() -> show(objects.get(), classes.get()));
    }

    synchronized void show(List<LogicalVolume> objects, DeviceClasses classes) {
        var counts = new HashMap<Group, Integer>();
        for (var deviceClass : classes.classes()) {
            for (var state : LogicalVolume.State.values()) {
                counts.put(new Group(deviceClass.name(), text(state)), 0);
            }
        }
        objects.forEach(volume -> counts.merge(Group.of(volume, classes), 1, Integer::sum));
        var gone = new HashSet<>(shown);
        gone.removeAll(counts.keySet());
        gone.forEach(group -> volumes.remove(node, group.deviceClass(), group.state()));
        counts.forEach((group, n) -> volumes.with(node, group.deviceClass(), group.state()).set(n));
        shown = Set.copyOf(counts.keySet());
    }

    private static String stateOf(LogicalVolume volume) {
        if (volume.growing()) {
            return "growing";
        }
        boolean troubled =
                volume.state() == LogicalVolume.State.READY
                        && volume.status().code() != StatusCode.OK;
        return text(troubled ? LogicalVolume.State.FAILED : volume.state());
    }

    private static String text(LogicalVolume.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
