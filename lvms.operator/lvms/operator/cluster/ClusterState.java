package lvms.operator.cluster;

import lvms.api.DeviceClassStatus;
import lvms.api.LvmCluster;
import lvms.api.LvmClusterStatus;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.object.Condition;
import lvms.operator.cluster.ConditionReason.State;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Folds what was found into the status of a cluster. Pure functions. */
final class ClusterState {
    /** If an installation goes well, its pods are there by then, even on slow nodes. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private ClusterState() {}

    /** Returns a condition of this generation that began now. */
    static Condition condition(
            LvmCluster cluster, ConditionReason reason, String message, Instant now) {
        return reason.condition(cluster.object(), message, now);
    }

    /** Returns the condition that says whether all units are done. */
    static Condition resources(LvmCluster cluster, List<UnitResult> results, Instant now) {
        var problems = results.stream().flatMap(r -> r.problem().stream()).sorted().toList();
        return problems.isEmpty()
                ? condition(cluster, ConditionReason.AVAILABLE, "all resources are in place", now)
                : condition(cluster, ConditionReason.INCOMPLETE, String.join("; ", problems), now);
    }

    /**
     * Returns whether people are warned of what is missing: at once if something failed. Waiting
     * for others is part of every installation, so it warns only when it has lasted.
     */
    static boolean warns(List<UnitResult> results, Condition resources, Instant now) {
        return !resources.holds()
                && (results.stream().anyMatch(UnitResult::needsHelp)
                        || !now.isBefore(resources.lastTransitionTime().plus(PATIENCE)));
    }

    /** Returns the status to write: conditions keep their time unless they changed. */
    static LvmClusterStatus status(
            LvmClusterStatus former,
            List<Condition> conditions,
            List<LvmVolumeGroupNodeStatus> nodeStatuses) {
        var merged = former.conditions();
        for (var condition : conditions) {
            merged = Condition.merge(merged, condition);
        }
        var state = fold(merged);
        return new LvmClusterStatus(
                state == State.READY, state.text(), merged, deviceClasses(nodeStatuses));
    }

    /** Folds conditions into one word. The worst wins, whatever their order. */
    static State fold(List<Condition> conditions) {
        return conditions.stream()
                .flatMap(condition -> ConditionReason.of(condition.reason()).stream())
                .map(ConditionReason::state)
                .max(Comparator.naturalOrder())
                .orElse(State.UNKNOWN);
    }

    /** Returns the volume groups by class and node, sorted: equal reports give equal lists. */
    static List<DeviceClassStatus> deviceClasses(List<LvmVolumeGroupNodeStatus> nodeStatuses) {
        var byClass = new TreeMap<String, List<DeviceClassStatus.OnNode>>();
        for (var nodeStatus : nodeStatuses) {
            for (var volumeGroup : nodeStatus.volumeGroups()) {
                byClass.computeIfAbsent(volumeGroup.deviceClass(), _ -> new ArrayList<>())
                        .add(new DeviceClassStatus.OnNode(nodeStatus.node(), volumeGroup));
            }
        }
        var statuses = new ArrayList<DeviceClassStatus>();
        byClass.forEach(
                (name, onNodes) -> {
                    onNodes.sort(Comparator.comparing(DeviceClassStatus.OnNode::node));
                    statuses.add(new DeviceClassStatus(name, onNodes));
                });
        return List.copyOf(statuses);
    }
}
