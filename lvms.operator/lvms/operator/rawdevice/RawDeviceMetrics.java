package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How many raw devices of each node are free, taken or in trouble, counted whenever the metrics are
 * read. A node without RawDevices, or without a Node, has no series. Any thread may use it.
 */
final class RawDeviceMetrics implements AutoCloseable {
    private final RawDeviceStore store;
    private final Predicate<String> hasNode;
    private final Family<Gauge> devices;
    private final Family<Gauge> availableBytes;
    private final MetricsRegistry.Update update;
    private Set<String> shown = Set.of();
    private boolean closed;

    /** What becomes of a device. */
    enum State {
        AVAILABLE,
        /** A volume has it, or its node was asked for it. */
        ALLOCATED,
        ERASING,
        /** It has to be erased, and that fails. */
        UNERASED,
        UNAVAILABLE,
        /** A volume has it, and the disk is missing. */
        LOST;

        static State of(RawDevice device) {
            if (device.allocated() || device.restored()) {
                return device.lost() ? LOST : ALLOCATED;
            }
            if (device.toBeErased()) {
                boolean fails = device.lost() || device.erasureFailure().isPresent();
                return fails ? UNERASED : ERASING;
            }
            if (device.free()) {
                return AVAILABLE;
            }
            boolean wanted = device.spec().available() && device.volume().isPresent();
            return wanted ? ALLOCATED : UNAVAILABLE;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a node has. */
    private static final class Count {
        private final Map<State, Integer> devices = new EnumMap<>(State.class);
        private long availableBytes;

        void add(RawDevice device) {
            var state = State.of(device);
            devices.merge(state, 1, Integer::sum);
            if (state == State.AVAILABLE) {
                availableBytes += device.spec().sizeBytes();
            }
        }
    }

    /**
     * @param hasNode whether there is a Node of this name
     */
    RawDeviceMetrics(MetricsRegistry registry, RawDeviceStore store, Predicate<String> hasNode) {
        this.store = store;
        this.hasNode = hasNode;
        devices =
                registry.gauge(
                        "lvms_raw_devices",
                        "RawDevices of a node: available, allocated, erasing, unerased,"
                                + " unavailable or lost.",
                        "node",
                        "state");
        availableBytes =
                registry.gauge(
                        "lvms_raw_device_available_bytes",
                        "Bytes of the RawDevices of a node that are available.",
                        "node");
        update = registry.beforeReading(this::show);
    }

    private synchronized void show() {
        if (closed) {
            return; // it was being read
        }
        var counts = new TreeMap<String, Count>();
        for (var device : store.all()) {
            var node = device.spec().nodeName();
            if (hasNode.test(node)) {
                counts.computeIfAbsent(node, _ -> new Count()).add(device);
            }
        }
        var gone = new HashSet<>(shown);
        gone.removeAll(counts.keySet());
        gone.forEach(this::forget);
        counts.forEach(this::show);
        shown = Set.copyOf(counts.keySet());
    }

    private void show(String node, Count count) {
        for (var state : State.values()) {
            devices.with(node, state.text()).set(count.devices.getOrDefault(state, 0));
        }
        availableBytes.with(node).set(count.availableBytes);
    }

    private void forget(String node) {
        for (var state : State.values()) {
            devices.remove(node, state.text());
        }
        availableBytes.remove(node);
    }

    /** Takes all series off: nobody serves raw devices here any more. */
    @Override
    public synchronized void close() {
        closed = true;
        update.close();
        shown.forEach(this::forget);
        shown = Set.of();
    }
}
