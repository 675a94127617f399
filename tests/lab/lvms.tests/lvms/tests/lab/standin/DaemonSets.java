package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;

/**
 * One pod of a DaemonSet on every node that it selects, replaced one at a time when the template
 * changes.
 */
final class DaemonSets implements Reconciler<ObjectKey> {
    private final Cluster cluster;

    DaemonSets(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var set = cluster.daemonSets.get(key);
        if (set.isPresent() && !set.get().terminating()) {
            manage(set.get());
        }
        return Result.done();
    }

    private void manage(KubeObject set) throws ApiException, InterruptedException {
        var pods = new PodTemplate(set);
        var own = cluster.pods.byIndex(Cluster.BY_OWNER, set.uid());
        var nodes = cluster.nodes.list().stream().filter(node -> wants(set, node)).toList();
        for (var node : nodes) {
            if (own.stream().noneMatch(pod -> nodeOf(pod).equals(node.name()))) {
                create(pods, node);
            }
        }
        for (var pod : own) {
            if (nodes.stream().noneMatch(node -> nodeOf(pod).equals(node.name()))) {
                delete(pod);
            }
        }
        roll(pods, own, nodes.size());
        writeStatus(set, pods, own, nodes.size());
    }

    /**
     * The template's own affinity and taints decide, with the tolerations that every daemon pod
     * gets.
     */
    private static boolean wants(KubeObject set, KubeObject node) {
        var pod = KubeObject.of(set.object("spec", "template").orElseThrow());
        var probe = pod.with(tolerations(pod), "spec", "tolerations");
        return !new Placement(probe, List.of(), List.of(), List.of(), List.of())
                .on(List.of(node))
                .fitting()
                .isEmpty();
    }

    private static ListTree tolerations(KubeObject pod) {
        var all = ListTree.builder();
        pod.list("spec", "tolerations").forEach(all::add);
        for (var key : List.of("not-ready", "unreachable")) {
            all.add(automatic(key, "NoExecute"));
        }
        for (var key :
                List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")) {
            all.add(automatic(key, "NoSchedule"));
        }
        return all.build();
    }

    private static ObjectTree automatic(String key, String effect) {
        return object("key", "node.kubernetes.io/" + key, "operator", "Exists", "effect", effect);
    }

    /** The node that the pod was made for, known before the scheduler has bound it. */
    private static String nodeOf(KubeObject pod) {
        return pod.objects(
                        "spec",
                        "affinity",
                        "nodeAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        "nodeSelectorTerms")
                .getFirst()
                .list("matchFields")
                .at(0)
                .asObject()
                .list("values")
                .at(0)
                .asText();
    }

    private void create(PodTemplate template, KubeObject node)
            throws ApiException, InterruptedException {
        var pod = template.pod();
        var onNode =
                object(
                        "matchFields",
                        list(
                                object(
                                        "key",
                                        "metadata.name",
                                        "operator",
                                        "In",
                                        "values",
                                        list(node.name()))));
        var required =
                object(
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        object("nodeSelectorTerms", list(onNode)));
        var made =
                pod.with(tolerations(pod), "spec", "tolerations")
                        .with(object("nodeAffinity", required), "spec", "affinity");
        cluster.pods.observed(cluster.kube.create(Types.POD, made));
    }

    private void delete(KubeObject pod) throws ApiException, InterruptedException {
        if (!pod.terminating()) {
            cluster.kube.delete(Types.POD, pod.key(), DeleteOptions.uid(pod.uid()));
        }
    }

    /** At most one pod is missing at a time; one that does not run yet is replaced at once. */
    private void roll(PodTemplate template, List<KubeObject> own, int wanted)
            throws ApiException, InterruptedException {
        long ready = own.stream().filter(pod -> Cluster.ready(pod) && !pod.terminating()).count();
        for (var pod : own) {
            if (!template.made(pod)) {
                if (!Cluster.ready(pod)) {
                    delete(pod);
                } else if (ready >= wanted) {
                    delete(pod);
                    ready--;
                }
            }
        }
    }

    private void writeStatus(KubeObject set, PodTemplate template, List<KubeObject> own, int wanted)
            throws ApiException, InterruptedException {
        var living = own.stream().filter(pod -> !pod.terminating()).toList();
        long ready = living.stream().filter(Cluster::ready).count();
        var status =
                object(
                        "observedGeneration",
                        set.generation(),
                        "desiredNumberScheduled",
                        wanted,
                        "currentNumberScheduled",
                        living.size(),
                        "updatedNumberScheduled",
                        living.stream().filter(template::made).count(),
                        "numberReady",
                        ready,
                        "numberAvailable",
                        ready,
                        "numberUnavailable",
                        wanted - ready,
                        "numberMisscheduled",
                        0);
        var changed = set.with(status, "status");
        if (!changed.sameAt(set, "status")) {
            cluster.kube.mergePatchStatus(Types.DAEMON_SET, set.key(), object("status", status));
        }
    }
}
