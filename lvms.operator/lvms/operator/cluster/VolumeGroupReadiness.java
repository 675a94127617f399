package lvms.operator.cluster;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.operator.unit.NodeEligibility;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether every volume group is ready on every node that counts. Pure functions. */
final class VolumeGroupReadiness {
    private VolumeGroupReadiness() {}

    /**
     * Returns the condition.
     *
     * @param nodes all nodes that an agent can run on
     * @param statuses what they report
     */
    static Condition of(
            LvmCluster cluster,
            List<KubeObject> nodes,
            List<LvmVolumeGroupNodeStatus> statuses,
            Instant now) {
        if (cluster.deviceClasses().isEmpty()) {
            return ClusterState.condition(
                    cluster, ConditionReason.GROUPS_UNMANAGED, "there is no device class", now);
        }
        var problems = problems(cluster, nodes, statuses);
        boolean ready = problems.isEmpty();
        if (ready) {
            problems.add("all volume groups are ready");
        }
        problems.addAll(withoutWatchdog(statuses));
        return ClusterState.condition(
                cluster,
                ready ? ConditionReason.GROUPS_READY : reason(cluster, statuses),
                String.join("; ", problems),
                now);
    }

    /** Their groups work, so that changes no state. */
    private static List<String> withoutWatchdog(List<LvmVolumeGroupNodeStatus> statuses) {
        return statuses.stream()
                .sorted(Comparator.comparing(LvmVolumeGroupNodeStatus::node))
                .flatMap(
                        status ->
                                status.object().annotation(Names.WATCHDOG_ANNOTATION).stream()
                                        .map(why -> withoutWatchdog(status.node(), why)))
                .toList();
    }

    private static String withoutWatchdog(String node, String why) {
        return "node %s: if its agent is killed in a snapshot or growth, the volume waits for the"
                        .formatted(node)
                + " next agent, since the watchdog would be killed with it: "
                + why;
    }

    // A failure counts wherever it is, even on a node that nobody waits for.
    private static ConditionReason reason(
            LvmCluster cluster, List<LvmVolumeGroupNodeStatus> statuses) {
        if (anyIn(VolumeGroupState.FAILED, cluster, statuses)) {
            return ConditionReason.GROUPS_FAILED;
        }
        return anyIn(VolumeGroupState.DEGRADED, cluster, statuses)
                ? ConditionReason.GROUPS_DEGRADED
                : ConditionReason.GROUPS_IN_PROGRESS;
    }

    private static boolean anyIn(
            VolumeGroupState state, LvmCluster cluster, List<LvmVolumeGroupNodeStatus> statuses) {
        return statuses.stream()
                .flatMap(s -> s.volumeGroups().stream())
                .anyMatch(vg -> vg.is(state) && cluster.deviceClass(vg.name()).isPresent());
    }

    private static List<String> problems(
            LvmCluster cluster, List<KubeObject> nodes, List<LvmVolumeGroupNodeStatus> statuses) {
        var byNode =
                statuses.stream()
                        .collect(
                                Collectors.toMap(
                                        LvmVolumeGroupNodeStatus::node, Function.identity()));
        var problems = new ArrayList<String>();
        for (var deviceClass : cluster.deviceClasses()) {
            var valid = validNodes(cluster, deviceClass, nodes);
            if (valid.isEmpty()) {
                problems.add(deviceClass.name() + ": no node matches");
            }
            valid.forEach(node -> check(deviceClass.name(), node, byNode, problems));
        }
        return problems;
    }

    private static List<String> validNodes(
            LvmCluster cluster, DeviceClass deviceClass, List<KubeObject> nodes) {
        return nodes.stream()
                .filter(
                        n ->
                                NodeEligibility.of(
                                                n,
                                                cluster.tolerations(),
                                                deviceClass.group().nodeSelector())
                                        == NodeEligibility.VALID)
                .map(KubeObject::name)
                .sorted()
                .toList();
    }

    private static void check(
            String deviceClass,
            String node,
            Map<String, LvmVolumeGroupNodeStatus> byNode,
            List<String> problems) {
        var place = deviceClass + " on " + node;
        var status = byNode.get(node);
        var entry = status == null ? null : status.volumeGroup(deviceClass).orElse(null);
        if (entry == null) {
            problems.add(place + ": nothing reported yet");
        } else if (!entry.is(VolumeGroupState.READY)) {
            problems.add(place + ": " + text(entry));
        }
    }

    private static String text(VolumeGroupStatus entry) {
        var state = entry.state().map(VolumeGroupState::text).orElse("state unknown");
        return entry.reason().isEmpty() ? state : state + " (" + entry.reason() + ")";
    }
}
