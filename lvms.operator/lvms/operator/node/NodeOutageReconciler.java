package lvms.operator.node;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tells the claims whose volumes are on a node that it is down, gone, or back: external-health-
 * monitor's work, by the watch of Nodes that is there anyway. Each outage is told once by a
 * process.
 */
public final class NodeOutageReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(NodeOutageReconciler.class.getName());

    /** As in external-health-monitor: a node that restarts is back by then. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private final OperatorInformers informers;
    private final Function<String, Stream<KubeObject>> volumesOn;
    private final EventRecorder events;
    private final InstantSource clock;

    /** When each absent Node was missed first, by name. */
    private final Map<String, Instant> missedSince = new ConcurrentHashMap<>();

    /** The outages that were told, by name of the Node. */
    private final Map<String, EventReason> told = new ConcurrentHashMap<>();

    NodeOutageReconciler(
            OperatorInformers informers,
            Function<String, Stream<KubeObject>> volumesOn,
            EventRecorder events,
            InstantSource clock) {
        this.informers = informers;
        this.volumesOn = volumesOn;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Builds a controller that runs it for each Node; it is not started yet.
     *
     * @param prefix of the controller's name
     * @param volumesOn the PersistentVolumes that are on a node, by its name
     */
    public static Controller<ObjectKey> controller(
            String prefix,
            OperatorInformers informers,
            Function<String, Stream<KubeObject>> volumesOn,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        var reconciler = new NodeOutageReconciler(informers, volumesOn, events, clock);
        return informers
                .awaited(Controller.named(prefix + "node-outages", reconciler))
                .watch(informers.nodes())
                .filter(ChangeFilter.changedAt("status"))
                .metrics(metrics)
                .build();
    }

    @Override
    public Result reconcile(ObjectKey key) {
        var name = key.name();
        var node = informers.nodes().get(key);
        if (node.isPresent()) {
            missedSince.remove(name);
        }
        var ready = node.flatMap(n -> n.condition("Ready"));
        if (node.isPresent() && (ready.isEmpty() || ready.get().holds())) {
            if (told.remove(name) != null) {
                tell(name, EventReason.NODE_RECOVERED, "node " + name + " is ready again");
            }
            return Result.done();
        }
        var now = clock.instant();
        var since =
                ready.map(Condition::lastTransitionTime)
                        .orElseGet(() -> missedSince.computeIfAbsent(name, _ -> now));
        var left = Duration.between(now, since.plus(GRACE));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        var reason = node.isPresent() ? EventReason.NODE_FAILED : EventReason.VOLUME_ABNORMAL;
        if (told.put(name, reason) != reason) {
            var state = node.isPresent() ? "has not been ready since " : "is gone since ";
            tell(name, reason, "node " + name + " " + state + since);
        }
        return Result.done();
    }

    private void tell(String node, EventReason reason, String note) {
        var concerned =
                volumesOn.apply(node).flatMap(volume -> Claim.ofVolume(volume).stream()).toList();
        if (!concerned.isEmpty()) {
            LOG.log(WARNING, () -> note + " volumes=" + concerned.size());
        }
        concerned.forEach(claim -> events.record(claim, reason, note));
    }

    /** Returns what finds the PersistentVolumes of the LogicalVolumes of a node. */
    public static Function<String, Stream<KubeObject>> logicalVolumes(OperatorInformers informers) {
        return node ->
                informers
                        .everyLogicalVolume()
                        .filter(volume -> volume.spec().nodeName().equals(node))
                        .filter(volume -> volume.state() == LogicalVolume.State.READY)
                        .flatMap(
                                v -> informers.persistentVolumesOf(v.status().volumeId()).stream());
    }
}
