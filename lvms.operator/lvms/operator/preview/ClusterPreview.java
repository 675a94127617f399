package lvms.operator.preview;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.operator.unit.NodeEligibility;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Says which disks an LVMCluster would take, before anything is touched, by the rules that the node
 * agents follow. Pure.
 *
 * @param cluster the LVMCluster as it would be
 * @param groups the LVMVolumeGroups that there are, by name
 */
public record ClusterPreview(LvmCluster cluster, Map<String, LvmVolumeGroup> groups) {
    public ClusterPreview {
        groups = Map.copyOf(groups);
    }

    public static ClusterPreview of(LvmCluster cluster, Collection<LvmVolumeGroup> groups) {
        return new ClusterPreview(
                cluster,
                groups.stream()
                        .collect(
                                Collectors.toMap(
                                        LvmVolumeGroup::name, Function.identity(), (a, _) -> a)));
    }

    /** Returns what the classes do on each of these nodes that they are for, by class. */
    public List<ClassOnNode> on(List<NodeDisks> nodes, Predicate<DeviceClass> wanted) {
        return cluster.deviceClasses().stream()
                .filter(wanted)
                .flatMap(
                        deviceClass ->
                                nodes.stream()
                                        .filter(node -> isFor(deviceClass, node))
                                        .map(node -> judge(deviceClass, node)))
                .toList();
    }

    private ClassOnNode judge(DeviceClass deviceClass, NodeDisks node) {
        var here = cluster.deviceClasses().stream().filter(c -> isFor(c, node)).toList();
        return node.disks()
                .map(
                        disks ->
                                new NodePreview(node.node().name(), disks, here, groups)
                                        .judge(deviceClass))
                .orElseGet(
                        () ->
                                new ClassOnNode(
                                        deviceClass.name(),
                                        !deviceClass.hasPaths(),
                                        node.node().name(),
                                        false,
                                        List.of(),
                                        Optional.empty()));
    }

    private boolean isFor(DeviceClass deviceClass, NodeDisks node) {
        return NodeEligibility.of(
                        node.node(), cluster.tolerations(), deviceClass.group().nodeSelector())
                .hasAgent();
    }
}
