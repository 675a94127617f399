package lvms.tests.cluster.check;

import static lvms.tests.cluster.check.Disagreement.Kind.DIFFERENT;
import static lvms.tests.cluster.check.Disagreement.Kind.DUPLICATE;
import static lvms.tests.cluster.check.Disagreement.Kind.LEAKED;
import static lvms.tests.cluster.check.Disagreement.Kind.LOST;
import static lvms.tests.cluster.check.Disagreement.Kind.UNFINISHED;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.k8s.object.Quantity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Each LogicalVolume has its volume on the disk of its node, and each volume its object. */
final class DiskRules {
    private static final String NAME_TAG = "lvms.volume=";

    private final ClusterView cluster;
    private final List<Disagreement> found = new ArrayList<>();

    private DiskRules(ClusterView cluster) {
        this.cluster = cluster;
    }

    static List<Disagreement> check(ClusterView cluster, List<NodeView> nodes) {
        var rules = new DiskRules(cluster);
        rules.finished();
        for (var node : nodes) {
            var volumes = node.userVolumes(Names.VOLUME_GROUP_TAG);
            for (var object : cluster.logicalVolumes()) {
                if (object.spec().nodeName().equals(node.node())) {
                    rules.onDisk(object, node.node(), volumes);
                }
            }
            volumes.forEach(volume -> rules.referred(volume, node.node()));
            rules.once(node.node(), volumes);
        }
        return rules.found;
    }

    private void finished() {
        for (var object : cluster.logicalVolumes()) {
            var place = "LogicalVolume " + object.name();
            if (object.object().terminating()) {
                add(UNFINISHED, place, "is terminating");
            } else if (object.status().volumeId().isEmpty()) {
                add(UNFINISHED, place, "has no volume: " + object.status());
            }
            if (!cluster.hasNode(object.spec().nodeName())) {
                add(LEAKED, place, "its node is gone: " + object.spec().nodeName());
            }
        }
    }

    private void onDisk(LogicalVolume object, String node, List<NodeView.Volume> volumes) {
        var id = object.status().volumeId();
        if (id.isEmpty()) {
            return;
        }
        var place = "LogicalVolume " + object.name();
        var volume = volumes.stream().filter(v -> v.name().equals(id)).findFirst();
        if (volume.isEmpty()) {
            add(LOST, place, "no volume " + id + " on " + node);
            return;
        }
        long size = volume.get().sizeBytes();
        long told = object.status().currentSize().map(Quantity::bytes).orElse(-1L);
        if (told != size) {
            add(DIFFERENT, place, "says " + told + " bytes, the disk " + size);
        }
        if (object.spec().size().bytes() > size) {
            add(UNFINISHED, place, object.spec().size() + " wanted, has " + size + " bytes");
        }
        if (!volume.get().tags().contains(NAME_TAG + object.name())) {
            add(DIFFERENT, place, "its volume has the tags " + volume.get().tags());
        }
    }

    private void referred(NodeView.Volume volume, String node) {
        boolean known =
                cluster.logicalVolumes().stream()
                        .anyMatch(
                                object ->
                                        object.spec().nodeName().equals(node)
                                                && (object.status().volumeId().equals(volume.name())
                                                        || object.object()
                                                                .uid()
                                                                .equals(volume.name())));
        if (!known) {
            add(LEAKED, node, volume.group() + "/" + volume.name() + " has no LogicalVolume");
        }
    }

    private void once(String node, List<NodeView.Volume> volumes) {
        volumes.stream()
                .flatMap(volume -> volume.tags().stream())
                .filter(tag -> tag.startsWith(NAME_TAG))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .forEach(
                        (tag, count) -> {
                            if (count > 1) {
                                add(DUPLICATE, node, count + " volumes are tagged " + tag);
                            }
                        });
    }

    private void add(Disagreement.Kind kind, String place, String text) {
        found.add(new Disagreement(kind, place, text));
    }
}
