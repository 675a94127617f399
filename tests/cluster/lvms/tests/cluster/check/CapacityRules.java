package lvms.tests.cluster.check;

import static lvms.tests.cluster.check.Disagreement.Kind.DIFFERENT;
import static lvms.tests.cluster.check.Disagreement.Kind.DUPLICATE;
import static lvms.tests.cluster.check.Disagreement.Kind.LEAKED;
import static lvms.tests.cluster.check.Disagreement.Kind.LOST;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.ThinPoolConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What nodes and capacity objects say is free is what the disks have: of a thin class the pool's
 * size times the ratio minus the virtual sizes, of a thick one the free space of its group. RAID
 * classes are passed over, since their free space depends on the layout.
 */
final class CapacityRules {
    private final ClusterView cluster;
    private final List<Disagreement> found = new ArrayList<>();

    private CapacityRules(ClusterView cluster) {
        this.cluster = cluster;
    }

    static List<Disagreement> check(ClusterView cluster, List<NodeView> nodes) {
        var rules = new CapacityRules(cluster);
        for (var lvmCluster : cluster.clusters()) {
            for (var deviceClass : lvmCluster.deviceClasses()) {
                nodes.forEach(node -> rules.reported(deviceClass, node));
            }
        }
        cluster.nodes().forEach(rules::published);
        rules.referToSomething();
        return rules.found;
    }

    private void reported(DeviceClass deviceClass, NodeView node) {
        var free = free(deviceClass, node);
        if (free.isEmpty()) {
            return;
        }
        var key = Driver.TOPOLVM.capacityAnnotation(deviceClass.name());
        var told =
                cluster.nodes().stream()
                        .filter(object -> object.name().equals(node.node()))
                        .findFirst()
                        .flatMap(object -> object.annotation(key));
        if (!told.equals(Optional.of(Long.toString(free.get())))) {
            var text = key + " is " + told.orElse("missing") + ", free are " + free.get();
            found.add(new Disagreement(DIFFERENT, "Node " + node.node(), text));
        }
    }

    /** The free bytes on disk; empty where the class has no group. */
    private static Optional<Long> free(DeviceClass deviceClass, NodeView node) {
        if (deviceClass.group().raid().isPresent()) {
            return Optional.empty();
        }
        var pool = deviceClass.group().thinPool();
        return node.group(deviceClass.name())
                .flatMap(
                        group ->
                                pool.isEmpty()
                                        ? Optional.of(group.freeBytes())
                                        : thin(pool.get(), group.name(), node));
    }

    private static Optional<Long> thin(ThinPoolConfig config, String group, NodeView node) {
        var inGroup = node.volumes().stream().filter(v -> v.group().equals(group)).toList();
        long virtual =
                inGroup.stream()
                        .filter(v -> v.pool().equals(config.name()) && v.ofUser())
                        .mapToLong(NodeView.Volume::sizeBytes)
                        .sum();
        return inGroup.stream()
                .filter(v -> v.name().equals(config.name()))
                .map(p -> Math.max(0, p.sizeBytes() * config.overprovisionRatio() - virtual))
                .findFirst();
    }

    private void published(KubeObject node) {
        for (var storageClass : cluster.storageClasses()) {
            boolean late =
                    storageClass
                            .text("volumeBindingMode")
                            .filter("WaitForFirstConsumer"::equals)
                            .isPresent();
            var topology = node.label(driver(storageClass).topologyKey());
            if (late && topology.isPresent()) {
                published(node, topology.get(), storageClass);
            }
        }
    }

    private static Driver driver(KubeObject storageClass) {
        return ClusterView.OURS.named(storageClass.text("provisioner").orElse("")).orElseThrow();
    }

    private void published(KubeObject node, String topology, KubeObject storageClass) {
        var place = "CSIStorageCapacity of " + storageClass.name() + " on " + topology;
        var driver = driver(storageClass);
        var objects =
                cluster.capacities().stream()
                        .filter(c -> about(c).equals(pair(storageClass, driver, topology)))
                        .toList();
        var deviceClass =
                storageClass.textMap("parameters").getOrDefault(driver.deviceClassParameter(), "");
        var told = node.annotation(driver.capacityAnnotation(deviceClass));
        if (objects.isEmpty()) {
            found.add(new Disagreement(LOST, place, "there is none"));
        } else if (objects.size() > 1) {
            found.add(new Disagreement(DUPLICATE, place, objects.size() + " objects"));
        } else {
            var bytes = objects.getFirst().value("capacity").map(c -> Quantity.parse(c).bytes());
            if (!bytes.equals(Optional.of(told.map(Long::parseLong).orElse(0L)))) {
                var text = "says " + bytes + ", the node " + told;
                found.add(new Disagreement(DIFFERENT, place, text));
            }
        }
    }

    private void referToSomething() {
        var pairs = new HashSet<String>();
        for (var node : cluster.nodes()) {
            for (var storageClass : cluster.storageClasses()) {
                var driver = driver(storageClass);
                node.label(driver.topologyKey())
                        .ifPresent(value -> pairs.add(pair(storageClass, driver, value)));
            }
        }
        for (var capacity : cluster.capacities()) {
            if (!pairs.contains(about(capacity))) {
                var place = "CSIStorageCapacity " + capacity.key();
                var text = "is about something that is gone: " + about(capacity);
                found.add(new Disagreement(LEAKED, place, text));
            }
        }
    }

    private static String pair(KubeObject storageClass, Driver driver, String node) {
        return storageClass.name() + " " + Map.of(driver.topologyKey(), node);
    }

    private static String about(KubeObject capacity) {
        return capacity.text("storageClassName").orElse("")
                + " "
                + Map.copyOf(capacity.textMap("nodeTopology", "matchLabels"));
    }
}
