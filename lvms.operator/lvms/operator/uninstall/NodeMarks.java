package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What agents put on Nodes for their drivers: a finalizer, and annotations of capacity. The label
 * of the topology is kubelet's.
 *
 * @param drivers whose marks
 */
public record NodeMarks(List<Driver> drivers) {
    /** Whether a node carries any. */
    public boolean on(KubeObject node) {
        return holds(node) || !capacities(node).isEmpty();
    }

    /** Whether one of them keeps a deleted node. */
    public boolean holds(KubeObject node) {
        return node.finalizers().stream().anyMatch(finalizers()::contains);
    }

    /** Takes the finalizers off a node. */
    public MergePatch releasing(KubeObject node) {
        return Marks.without(node, List.copyOf(finalizers()));
    }

    /** Takes everything off a node. */
    public MergePatch cleaning(KubeObject node) {
        var patch = releasing(node);
        for (var key : capacities(node)) {
            patch = patch.withoutAnnotation(key);
        }
        return patch;
    }

    private Set<String> finalizers() {
        return drivers.stream().map(Driver::nodeFinalizer).collect(Collectors.toSet());
    }

    private List<String> capacities(KubeObject node) {
        return node.annotations().keySet().stream()
                .filter(
                        key ->
                                drivers.stream()
                                        .map(Driver::capacityPrefix)
                                        .anyMatch(key::startsWith))
                .toList();
    }
}
