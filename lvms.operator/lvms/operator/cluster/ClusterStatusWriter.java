package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.api.LvmClusterStatus;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.VolumeGroupUnit;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes the status of a cluster, and the events that go with it, when it changed. */
final class ClusterStatusWriter {
    private final Informer clusters;
    private final Informer volumeGroups;
    private final Informer nodeStatuses;
    private final ClusterEvents events;

    ClusterStatusWriter(OperatorInformers informers, ClusterEvents events) {
        this.clusters = informers.clusters();
        this.volumeGroups = informers.volumeGroups();
        this.nodeStatuses = informers.nodeStatuses();
        this.events = events;
    }

    /** Returns what the nodes report, but for the volume groups that somebody else controls. */
    List<LvmVolumeGroupNodeStatus> reports(LvmCluster cluster) {
        var foreign =
                volumeGroups.list().stream()
                        .filter(group -> isForeign(cluster, group))
                        .map(KubeObject::name)
                        .collect(Collectors.toSet());
        return nodeStatuses.list().stream()
                .map(LvmVolumeGroupNodeStatus::of)
                .map(status -> status.without(foreign))
                .toList();
    }

    private static boolean isForeign(LvmCluster cluster, KubeObject group) {
        return group.ownerReferences().stream().anyMatch(OwnerReference::controller)
                && !VolumeGroupUnit.controls(cluster, group);
    }

    /** Writes conditions with what the nodes report; returns the status. */
    LvmClusterStatus write(LvmCluster cluster, List<Condition> conditions)
            throws ApiException, InterruptedException {
        var next = ClusterState.status(cluster.status(), conditions, reports(cluster));
        write(cluster, next);
        return next;
    }

    /** Writes the condition of an object that was never accepted: no node reports on it. */
    void reject(LvmCluster cluster, Condition condition) throws ApiException, InterruptedException {
        write(cluster, ClusterState.status(cluster.status(), List.of(condition), List.of()));
    }

    private void write(LvmCluster cluster, LvmClusterStatus next)
            throws ApiException, InterruptedException {
        if (next.equals(cluster.status())) {
            return;
        }
        clusters.patchStatus(MergePatch.of(cluster.object()).status(next.json()));
        announce(cluster, next);
    }

    private void announce(LvmCluster cluster, LvmClusterStatus next) {
        if (next.ready() && !cluster.status().ready()) {
            events.ready(cluster);
        }
        var before = resources(cluster.status());
        var now = resources(next);
        if (now.isEmpty() || now.get().holds() || sameMessage(before, now.get())) {
            return;
        }
        switch (ConditionReason.of(now.get().reason()).orElseThrow()) {
            case REJECTED -> events.rejected(cluster, now.get().message());
            case CONFLICT -> events.conflict(cluster, now.get().message());
            case INCOMPLETE -> {} // reported by the code that knows how long it has lasted
            default -> events.deletionPending(cluster, now.get().message());
        }
    }

    static Optional<Condition> resources(LvmClusterStatus status) {
        return status.conditions().stream()
                .filter(c -> c.type().equals(Names.CONDITION_RESOURCES))
                .findFirst();
    }

    private static boolean sameMessage(Optional<Condition> before, Condition now) {
        return before.filter(
                        b -> b.reason().equals(now.reason()) && b.message().equals(now.message()))
                .isPresent();
    }
}
