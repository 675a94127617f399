package lvms.operator.cluster;

import lvms.api.DeviceClassStatus;
import lvms.api.LvmCluster;
import lvms.api.LvmClusterStatus;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.object.Condition;
import lvms.k8s.object.Condition.Status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Folds what was found into the status of a cluster. Pure functions. */
final class ClusterState {
    static final String READY = "Ready";
    static final String RECONCILING = "ReconciliationInProgress";
    static final String INCOMPLETE = "ResourcesSyncIncomplete";
    static final String AVAILABLE = "ResourcesAvailable";
    static final String REJECTED = "SpecRejected";
    static final String CONFLICT = "DriverConflict";

    // The schema allows 32 KiB; nobody reads more than this, and each node may add its part.
    private static final int MAX_MESSAGE = 4096;

    /** Pods of an installation that goes well are there by then, on slow nodes too. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String FAILED = "Failed";
    private static final String DEGRADED = "Degraded";
    private static final String PROGRESSING = "Progressing";
    private static final String UNKNOWN = "Unknown";

    private ClusterState() {}

    /** Returns a condition of this generation that began now. */
    static Condition condition(
            LvmCluster cluster,
            String type,
            boolean holds,
            String reason,
            String message,
            Instant now) {
        return new Condition(
                type,
                holds ? Status.TRUE : Status.FALSE,
                reason,
                message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE),
                cluster.object().generation(),
                now);
    }

    /** Returns the condition that says whether all units are done. */
    static Condition resources(LvmCluster cluster, List<UnitResult> results, Instant now) {
        var problems = results.stream().flatMap(r -> r.problem().stream()).sorted().toList();
        return problems.isEmpty()
                ? condition(
                        cluster,
                        Names.CONDITION_RESOURCES,
                        true,
                        AVAILABLE,
                        "all resources are in place",
                        now)
                : condition(
                        cluster,
                        Names.CONDITION_RESOURCES,
                        false,
                        INCOMPLETE,
                        String.join("; ", problems),
                        now);
    }

    /**
     * Returns whether people are warned of what is missing: of a failure at once, and of waiting
     * for others, which is a part of each installation, when it has lasted.
     */
    static boolean warns(List<UnitResult> results, Condition resources, Instant now) {
        return !resources.holds()
                && (results.stream().anyMatch(UnitResult::needsHelp)
                        || !now.isBefore(resources.lastTransitionTime().plus(PATIENCE)));
    }

    /** Returns the status to write: conditions keep their time unless they turned. */
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
                state.equals(READY), state, merged, deviceClasses(nodeStatuses));
    }

    /** Folds conditions into one word. The worst wins, whatever their order. */
    static String fold(List<Condition> conditions) {
        return conditions.stream()
                .map(condition -> state(condition.reason()))
                .max(Comparator.comparingInt(SEVERITY::indexOf))
                .orElse(UNKNOWN);
    }

    private static final List<String> SEVERITY =
            List.of(UNKNOWN, READY, PROGRESSING, DEGRADED, FAILED);

    private static String state(String reason) {
        return switch (reason) {
            case VolumeGroupReadiness.FAILED, REJECTED, CONFLICT -> FAILED;
            case VolumeGroupReadiness.DEGRADED -> DEGRADED;
            case RECONCILING, INCOMPLETE, VolumeGroupReadiness.IN_PROGRESS -> PROGRESSING;
            case AVAILABLE, VolumeGroupReadiness.READY, VolumeGroupReadiness.UNMANAGED -> READY;
            default -> UNKNOWN;
        };
    }

    /** Returns the volume groups by class and node, sorted, so that equal reports are equal. */
    static List<DeviceClassStatus> deviceClasses(List<LvmVolumeGroupNodeStatus> nodeStatuses) {
        var byClass = new TreeMap<String, List<DeviceClassStatus.OnNode>>();
        for (var nodeStatus : nodeStatuses) {
            for (var volumeGroup : nodeStatus.volumeGroups()) {
                byClass.computeIfAbsent(volumeGroup.name(), _ -> new ArrayList<>())
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
