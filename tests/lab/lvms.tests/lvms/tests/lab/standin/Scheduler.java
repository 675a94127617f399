package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places pods: looks at the capacity that drivers report, tells the claims which node was chosen,
 * waits until they are bound, and binds the pod. One pod at a time, as the real one.
 */
final class Scheduler implements Reconciler<ObjectKey> {
    private static final ResourceType BINDING =
            new ResourceType("", "v1", "Binding", "bindings", true);

    private final Cluster cluster;

    Scheduler(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var pod = cluster.pods.get(key);
        if (pod.isPresent() && waiting(pod.get())) {
            place(pod.get());
        }
        return Result.done();
    }

    static boolean waiting(KubeObject pod) {
        return pod.text("spec", "nodeName").isEmpty() && !pod.terminating();
    }

    private void place(KubeObject pod) throws ApiException, InterruptedException {
        var bound = new ArrayList<KubeObject>();
        var toProvision = new ArrayList<KubeObject>();
        var obstacle = sortClaims(pod, bound, toProvision);
        if (obstacle.isPresent()) {
            refuse(pod, obstacle.get());
            return;
        }
        var verdict =
                new Placement(pod, bound, toProvision, cluster.capacities.list(), limitedClasses())
                        .on(cluster.nodes.list());
        var node =
                verdict.fitting().stream()
                        .min(Comparator.comparing(this::load).thenComparing(KubeObject::name));
        if (node.isEmpty()) {
            refuse(pod, verdict.message());
        } else if (toProvision.isEmpty()) {
            bind(pod, node.get());
        } else {
            choose(toProvision, node.get());
        }
    }

    /** Sorts the claims of the pod; returns what keeps the pod from being placed at all. */
    private Optional<String> sortClaims(
            KubeObject pod, List<KubeObject> bound, List<KubeObject> toProvision) {
        for (var key : Cluster.claimsOf(pod)) {
            var claim = cluster.claims.get(key);
            if (claim.isEmpty()) {
                return Optional.of("persistentvolumeclaim \"" + key.name() + "\" not found");
            }
            if (claim.get().terminating()) {
                return Optional.of("persistentvolumeclaim \"" + key.name() + "\" is being deleted");
            }
            if (!ClaimBinder.pending(claim.get())) {
                var volume =
                        claim.get()
                                .text("spec", "volumeName")
                                .map(ObjectKey::cluster)
                                .flatMap(cluster.volumes::get);
                if (volume.isEmpty()) {
                    return Optional.of(
                            "persistentvolumeclaim \""
                                    + key.name()
                                    + "\" bound to non-existent persistentvolume");
                }
                bound.add(volume.get());
            } else if (waitsForConsumer(claim.get())) {
                toProvision.add(claim.get());
            } else {
                return Optional.of("pod has unbound immediate PersistentVolumeClaims");
            }
        }
        return Optional.empty();
    }

    private boolean waitsForConsumer(KubeObject claim) {
        return claim.text("spec", "storageClassName")
                .map(ObjectKey::cluster)
                .flatMap(cluster.classes::get)
                .map(ClaimBinder::waitsForConsumer)
                .orElse(false);
    }

    private List<String> limitedClasses() {
        var drivers =
                cluster.drivers.list().stream()
                        .filter(driver -> driver.flag("spec", "storageCapacity").orElse(false))
                        .map(KubeObject::name)
                        .toList();
        return cluster.classes.list().stream()
                .filter(c -> drivers.contains(c.text("provisioner").orElse("")))
                .map(KubeObject::name)
                .toList();
    }

    private long load(KubeObject node) {
        return cluster.pods.list().stream()
                .filter(pod -> pod.text("spec", "nodeName").orElse("").equals(node.name()))
                .count();
    }

    private void choose(List<KubeObject> claims, KubeObject node)
            throws ApiException, InterruptedException {
        for (var claim : claims) {
            if (claim.annotation(ClaimBinder.SELECTED_NODE).isEmpty()) {
                cluster.claims.observed(
                        cluster.kube.mergePatch(
                                Types.PVC,
                                claim.key(),
                                object(
                                        "metadata",
                                        object(
                                                "resourceVersion", claim.resourceVersion(),
                                                "annotations",
                                                        object(
                                                                ClaimBinder.SELECTED_NODE,
                                                                node.name())))));
            }
        }
    }

    private void bind(KubeObject pod, KubeObject node) throws ApiException, InterruptedException {
        var binding =
                KubeObject.create(BINDING, pod.key())
                        .with(
                                object("apiVersion", "v1", "kind", "Node", "name", node.name()),
                                "target");
        try {
            cluster.kube.create(BINDING, binding);
        } catch (ApiException.NotFound | ApiException.Conflict | ApiException.AlreadyExists e) {
            return; // the cache lagged: the pod is gone or placed
        }
        cluster.events.record(
                pod,
                EventRecorder.Type.NORMAL,
                "Scheduled",
                "Binding",
                "Successfully assigned " + pod.key() + " to " + node.name());
    }

    private void refuse(KubeObject pod, String message) throws ApiException, InterruptedException {
        cluster.events.record(
                pod, EventRecorder.Type.WARNING, "FailedScheduling", "Scheduling", message);
        var known = pod.condition("PodScheduled");
        if (known.isPresent() && known.get().message().equals(message)) {
            return;
        }
        var condition =
                object(
                        "type", "PodScheduled",
                        "status", "False",
                        "reason", "Unschedulable",
                        "message", message,
                        "lastTransitionTime",
                                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        try {
            cluster.kube.mergePatchStatus(
                    Types.POD, pod.key(), object("status", object("conditions", list(condition))));
        } catch (ApiException.NotFound e) {
            return; // deleted meanwhile
        }
    }
}
