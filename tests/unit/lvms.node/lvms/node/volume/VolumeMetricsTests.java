package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.volume.VolumeMetrics.Operation;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The metrics tell of every state, and of a class only while there is one. */
class VolumeMetricsTests {
    private final MetricsRegistry registry = new MetricsRegistry();
    private final VolumeMetrics metrics = new VolumeMetrics(registry, Volumes.NODE);

    private static DeviceClasses classes(String... names) {
        return new DeviceClasses(
                Arrays.stream(names)
                        .map(
                                name ->
                                        new NodeDeviceClass(
                                                name,
                                                "vg1",
                                                false,
                                                new NodeDeviceClass.Provisioning.Thick(),
                                                0,
                                                Optional.empty(),
                                                List.of(),
                                                Optional.empty()))
                        .toList(),
                Map.of());
    }

    /** Returns the series that are not 0, without the node. */
    private List<String> shown(String name) {
        return registry.text()
                .lines()
                .filter(line -> line.startsWith(name + "{") && !line.endsWith(" 0"))
                .map(line -> line.substring(name.length()).replace("node=\"n1\",", ""))
                .toList();
    }

    private static LogicalVolume failed(LogicalVolume volume) {
        var status =
                new LogicalVolume.Status(
                        volume.status().volumeId(),
                        StatusCode.RESOURCE_EXHAUSTED,
                        "full",
                        volume.status().currentSize());
        return LogicalVolume.of(volume.object().with(status.json(), "status"));
    }

    @Test
    void countsTheVolumesOfEachState() {
        var made = Volumes.made("1Gi");
        var growing = LogicalVolume.of(made.object().with("2Gi", "spec", "size"));
        var going =
                LogicalVolume.of(
                        made.object()
                                .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp"));
        metrics.show(
                List.of(
                        Volumes.wanted("1Gi"),
                        made,
                        made,
                        growing,
                        failed(growing),
                        failed(Volumes.wanted("1Gi")),
                        going),
                classes("thin"));
        assertEquals(
                List.of(
                        "{device_class=\"thin\",state=\"failed\"} 2",
                        "{device_class=\"thin\",state=\"growing\"} 1",
                        "{device_class=\"thin\",state=\"pending\"} 1",
                        "{device_class=\"thin\",state=\"ready\"} 2",
                        "{device_class=\"thin\",state=\"terminating\"} 1"),
                shown("lvms_volumes"));
    }

    @Test
    void aVolumeOfAnUnknownClassCountsWithoutOne() {
        metrics.show(List.of(Volumes.made("1Gi")), classes());
        assertEquals(List.of("{device_class=\"\",state=\"ready\"} 1"), shown("lvms_volumes"));
    }

    @Test
    void aClassThatIsGoneHasNoSeries() {
        metrics.show(List.of(Volumes.made("1Gi")), classes("thin", "other"));
        metrics.compared("thin", 1, 2);
        metrics.show(List.of(), classes("other"));
        assertEquals(0, registry.text().lines().filter(l -> l.contains("\"thin\",state")).count());
        assertEquals(List.of("{device_class=\"thin\"} 1"), shown("lvms_unclaimed_volumes"));
        assertEquals(List.of("{device_class=\"thin\"} 2"), shown("lvms_missing_volumes"));
        metrics.forget("thin");
        assertEquals(List.of(), shown("lvms_unclaimed_volumes"));
        assertEquals(List.of(), shown("lvms_missing_volumes"));
    }

    @Test
    void aCounterIsThereBeforeTheFirstFailure() {
        var zero = "lvms_volume_operation_failures_total{node=\"n1\",operation=\"create\"} 0";
        assertEquals(1, registry.text().lines().filter(zero::equals).count());
        metrics.failed(Operation.CREATE);
        metrics.done(Operation.GROW);
        assertEquals(
                List.of("{operation=\"create\"} 1"), shown("lvms_volume_operation_failures_total"));
        assertEquals(List.of("{operation=\"grow\"} 1"), shown("lvms_volume_operations_total"));
    }

    @Test
    void aServerWhoseClockIsAheadMakesNoNegativeLag() {
        var now = Instant.ofEpochSecond(100);
        metrics.seen(now.plusSeconds(7), now);
        metrics.seen(now.minusSeconds(4), now);
        assertEquals(
                1,
                registry.text()
                        .lines()
                        .filter("lvms_volume_event_lag_seconds_sum{node=\"n1\"} 4"::equals)
                        .count());
    }
}
