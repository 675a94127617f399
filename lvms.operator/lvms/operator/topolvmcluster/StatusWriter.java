package lvms.operator.topolvmcluster;

import lvms.api.Names;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.TopolvmCluster;
import lvms.api.nativestor.TopolvmClusterStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Condition;
import lvms.operator.cluster.ConditionReason;
import lvms.operator.event.EventReason;
import lvms.operator.nativestor.SettingWatch;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Writes the status of a TopolvmCluster, and the Events that go with it, when it changed. */
final class StatusWriter {
    /** Type of the condition about NativeStor's settings. */
    static final String SETTINGS = "SettingsUnderstood";

    private final Informer clusters;
    private final EventRecorder events;
    private final InstantSource clock;
    // By UID: there are hardly ever two clusters.
    private final Map<String, List<String>> warned = new ConcurrentHashMap<>();

    StatusWriter(Informer clusters, EventRecorder events, InstantSource clock) {
        this.clusters = clusters;
        this.events = events;
        this.clock = clock;
    }

    Condition condition(TopolvmCluster cluster, ConditionReason reason, String message) {
        return reason.condition(cluster.object(), message, clock.instant());
    }

    /** Returns the condition that says whether NativeStor's settings could be followed. */
    Condition settings(TopolvmCluster cluster, SettingWatch watch) {
        var problems = new ArrayList<>(watch.now().problems());
        problems.addAll(watch.refused());
        var unused = watch.now().unused();
        var good =
                unused.isEmpty()
                        ? "all settings are in force"
                        : "without effect: " + String.join(", ", unused);
        return new Condition(
                SETTINGS,
                Condition.Status.of(problems.isEmpty()),
                problems.isEmpty() ? SETTINGS : "SettingsInPart",
                problems.isEmpty() ? good : String.join("; ", problems),
                cluster.object().generation(),
                clock.instant());
    }

    /**
     * Writes the status.
     *
     * @param wanted what is asked for
     */
    void write(
            TopolvmCluster cluster,
            List<NodeStorageState> nodes,
            List<WantedGroup> wanted,
            Condition... conditions)
            throws ApiException, InterruptedException {
        var next = ClusterReport.status(cluster.status(), nodes, List.of(conditions));
        if (write(cluster, next)) {
            ClassEvents.between(cluster.status().nodes(), nodes, wanted)
                    .forEach(note -> events.record(cluster.object(), note.reason(), note.text()));
        }
    }

    /** Writes conditions and leaves the rest as it is. */
    void write(TopolvmCluster cluster, Condition... conditions)
            throws ApiException, InterruptedException {
        write(
                cluster,
                ClusterReport.status(
                        cluster.status(), cluster.status().nodes(), List.of(conditions)));
    }

    private boolean write(TopolvmCluster cluster, TopolvmClusterStatus next)
            throws ApiException, InterruptedException {
        if (next.equals(cluster.status())) {
            return false;
        }
        clusters.patchStatus(MergePatch.of(cluster.object()).status(next.json()));
        announce(cluster, next);
        return true;
    }

    private void announce(TopolvmCluster cluster, TopolvmClusterStatus next) {
        var now = resources(next);
        var before = resources(cluster.status());
        boolean same =
                before.map(Condition::message).equals(now.map(Condition::message))
                        && before.map(Condition::reason).equals(now.map(Condition::reason));
        if (same || now.isEmpty() || now.get().holds()) {
            return;
        }
        var reason = ConditionReason.of(now.get().reason()).orElseThrow();
        var event =
                switch (reason) {
                    case REJECTED -> Optional.of(EventReason.STORAGE_REJECTED);
                    case CONFLICT -> Optional.of(EventReason.STORAGE_CONFLICT);
                    case RECONCILING -> Optional.of(EventReason.REMOVAL_PENDING);
                    default -> Optional.<EventReason>empty();
                };
        event.ifPresent(e -> events.record(cluster.object(), e, now.get().message()));
    }

    private static Optional<Condition> resources(TopolvmClusterStatus status) {
        return status.conditions().stream()
                .filter(c -> c.type().equals(Names.CONDITION_RESOURCES))
                .findFirst();
    }

    /** Reports warnings about a spec, and edits that are refused, unless they are known. */
    void warn(TopolvmCluster cluster, List<String> warnings, List<String> refused) {
        var all = new ArrayList<>(warnings);
        all.addAll(refused);
        if (all.equals(warned.put(cluster.object().uid(), all))) {
            return;
        }
        warnings.forEach(
                text -> events.record(cluster.object(), EventReason.STORAGE_WARNING, text));
        refused.forEach(text -> events.record(cluster.object(), EventReason.EDIT_REFUSED, text));
    }

    void forget(TopolvmCluster cluster) {
        warned.remove(cluster.object().uid());
    }
}
