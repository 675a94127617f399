package lvms.operator.topolvmcluster;

import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.TopolvmClusterStatus;
import lvms.k8s.object.Condition;
import lvms.operator.cluster.ConditionReason;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folds what the nodes report into the status of a TopolvmCluster. Pure functions. */
final class ClusterReport {
    private ClusterReport() {}

    /** Whether every class is there, and what is wrong if not. */
    record Groups(ConditionReason reason, String message) {}

    /** Returns the entries of the nodes, in their order. */
    static List<NodeStorageState> nodes(
            List<NodeView> nodes, List<WantedGroup> wanted, List<LeavingGroup> leaving) {
        return nodes.stream()
                .map(
                        node ->
                                NodeStates.of(
                                        node,
                                        wanted.stream().filter(w -> w.on(node.name())).toList(),
                                        leaving.stream().filter(l -> l.on(node.name())).toList()))
                .toList();
    }

    /** Returns the status to write: conditions keep their time unless they changed. */
    static TopolvmClusterStatus status(
            TopolvmClusterStatus former, List<NodeStorageState> nodes, List<Condition> conditions) {
        var merged = former.conditions();
        for (var condition : conditions) {
            merged = Condition.merge(merged, condition);
        }
        long ready = nodes.stream().filter(n -> n.phase().equals(Optional.of(Phase.READY))).count();
        return new TopolvmClusterStatus(
                Optional.of(NodeStates.cluster(nodes)), ready + "/" + nodes.size(), nodes, merged);
    }

    /** Judges the classes of all nodes. */
    static Groups groups(List<NodeStorageState> nodes, List<WantedGroup> wanted) {
        if (wanted.isEmpty()) {
            return new Groups(ConditionReason.GROUPS_UNMANAGED, "there is no device class");
        }
        var missing = nodes.stream().flatMap(node -> missing(node, wanted)).toList();
        var failed = nodes.stream().flatMap(node -> failed(node, node.failClasses())).toList();
        var degraded = nodes.stream().flatMap(node -> failed(node, node.successClasses())).toList();
        var problems = new ArrayList<>(failed);
        problems.addAll(degraded);
        problems.addAll(missing);
        if (problems.isEmpty() && nodes.isEmpty()) {
            problems.add("there is no node");
        }
        return new Groups(
                reason(failed, degraded, problems),
                problems.isEmpty() ? "all volume groups are ready" : String.join("; ", problems));
    }

    private static ConditionReason reason(
            List<String> failed, List<String> degraded, List<String> problems) {
        if (!failed.isEmpty()) {
            return ConditionReason.GROUPS_FAILED;
        }
        if (!degraded.isEmpty()) {
            return ConditionReason.GROUPS_DEGRADED;
        }
        return problems.isEmpty()
                ? ConditionReason.GROUPS_READY
                : ConditionReason.GROUPS_IN_PROGRESS;
    }

    private static Stream<String> missing(NodeStorageState node, List<WantedGroup> wanted) {
        var known =
                Stream.concat(node.failClasses().stream(), node.successClasses().stream())
                        .map(ClassState::className)
                        .collect(Collectors.toSet());
        return wanted.stream()
                .filter(w -> w.on(node.node()) && !known.contains(w.deviceClass()))
                .map(w -> place(node, w.deviceClass()) + ": nothing reported yet");
    }

    private static Stream<String> failed(NodeStorageState node, List<ClassState> classes) {
        return classes.stream()
                .filter(c -> !good(c))
                .map(
                        c ->
                                place(node, c.className())
                                        + ": "
                                        + (c.message().isEmpty() ? c.state() : c.message())
                                        + devices(c));
    }

    private static boolean good(ClassState state) {
        return state.state().equals(ClassState.READY)
                && (state.message().isEmpty()
                        || state.message().equals(ClassMessage.CREATED.text()));
    }

    private static String place(NodeStorageState node, String deviceClass) {
        return "node " + node.node() + ": class " + deviceClass;
    }

    /** Returns the devices that are to blame, behind a message about their class. */
    static String devices(ClassState state) {
        var bad =
                state.deviceStates().stream()
                        .filter(d -> !d.state().equals(DeviceState.ONLINE))
                        .filter(d -> !d.message().isEmpty())
                        .map(d -> d.name() + ": " + d.message())
                        .toList();
        return bad.isEmpty() ? "" : " (" + String.join("; ", bad) + ")";
    }
}
