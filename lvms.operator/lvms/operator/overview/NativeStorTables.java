package lvms.operator.overview;

import lvms.api.nativestor.Phase;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.Condition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** TopolvmClusters and RawDevices as tables; whoever has none sees none. Pure. */
final class NativeStorTables {
    private NativeStorTables() {}

    static List<Section> of(Overview overview) {
        var sections = new ArrayList<Section>();
        var stor = overview.nativeStor();
        if (!stor.clusters().isEmpty()) {
            sections.add(
                    Section.of(
                            "topolvmClusters",
                            List.of("cluster", "phase", "nodesReady", "ageSeconds", "message"),
                            stor.clusters().stream().map(cluster -> cluster(overview, cluster))));
        }
        if (!stor.rawDevices().isEmpty()) {
            sections.add(
                    Section.of(
                            "rawDevices",
                            List.of("node", "device", "sizeBytes", "state", "volume", "reason"),
                            stor.rawDevices().stream().map(NativeStorTables::rawDevice)));
        }
        return List.copyOf(sections);
    }

    private static List<Cell> cluster(Overview overview, TopolvmCluster cluster) {
        return List.of(
                Cell.of(cluster.object().key().toString()),
                Cell.of(cluster.status().phase().map(Phase::text)),
                Cell.of(cluster.status().nodesReady()),
                Cell.age(overview.age(cluster.object())),
                Cell.of(message(cluster)));
    }

    static String message(TopolvmCluster cluster) {
        return cluster.status().conditions().stream()
                .filter(condition -> !condition.holds())
                .map(Condition::message)
                .collect(Collectors.joining("; "));
    }

    private static List<Cell> rawDevice(RawDevice device) {
        return List.of(
                Cell.of(device.spec().nodeName()),
                Cell.of(device.spec().realPath()),
                Cell.bytes(device.spec().sizeBytes()),
                Cell.of(state(device)),
                Cell.of(Optional.of(device.volumeId()).filter(id -> !id.isEmpty())),
                Cell.of(reason(device)));
    }

    static String state(RawDevice device) {
        if (device.lost()) {
            return "lost";
        }
        if (device.allocated()) {
            return "used";
        }
        if (device.toBeErased()) {
            long size = Math.max(1, device.spec().sizeBytes());
            return "erasing, " + Math.min(100, 100 * device.erasedBytes() / size) + "%";
        }
        return device.spec().available() ? "free" : "unavailable";
    }

    private static String reason(RawDevice device) {
        return device.toBeErased()
                ? device.erasureFailure().orElse(device.spec().reason())
                : device.spec().reason();
    }
}
