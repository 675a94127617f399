package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Types;

import java.util.List;

/**
 * One ReplicaSet per template and its pods, the old ones gone before the new ones start (strategy
 * Recreate). One pod stands for all replicas: pods have no network of their own here, so a second
 * one could not listen where the first one does.
 */
final class Deployments implements Reconciler<ObjectKey> {
    private final Cluster cluster;

    Deployments(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var deployment = cluster.deployments.get(key);
        if (deployment.isPresent() && !deployment.get().terminating()) {
            manage(deployment.get());
        }
        return Result.done();
    }

    private void manage(KubeObject deployment) throws ApiException, InterruptedException {
        var template = new PodTemplate(deployment);
        var name = ObjectKey.of(deployment.namespace(), deployment.name() + "-" + template.hash());
        var sets = cluster.replicaSets.byIndex(Cluster.BY_OWNER, deployment.uid());
        for (var set : sets) {
            if (!set.key().equals(name) && !set.terminating()) {
                cluster.kube.delete(Cluster.REPLICA_SET, set.key(), DeleteOptions.uid(set.uid()));
            }
        }
        if (!sets.stream().allMatch(set -> set.key().equals(name))) {
            return; // the change of the set that goes brings the next pass
        }
        var set = sets.isEmpty() ? createSet(deployment, name) : sets.getFirst();
        var pods = cluster.pods.byIndex(Cluster.BY_OWNER, set.uid());
        long wanted = deployment.number("spec", "replicas").orElse(1);
        if (pods.isEmpty() && wanted > 0) {
            var pod = new PodTemplate(set).pod();
            cluster.pods.observed(cluster.kube.create(Types.POD, pod));
        }
        writeStatus(deployment, pods, wanted);
    }

    private KubeObject createSet(KubeObject deployment, ObjectKey name)
            throws ApiException, InterruptedException {
        var set =
                KubeObject.create(Cluster.REPLICA_SET, name)
                        .with(
                                list(OwnerReference.controllerOf(deployment).json()),
                                "metadata",
                                "ownerReferences")
                        .with(deployment.number("spec", "replicas").orElse(1), "spec", "replicas")
                        .with(
                                deployment.object("spec", "selector").orElseThrow(),
                                "spec",
                                "selector")
                        .with(
                                deployment.object("spec", "template").orElseThrow(),
                                "spec",
                                "template");
        var created = cluster.kube.create(Cluster.REPLICA_SET, set);
        cluster.replicaSets.observed(created);
        return created;
    }

    private void writeStatus(KubeObject deployment, List<KubeObject> pods, long wanted)
            throws ApiException, InterruptedException {
        boolean serves = pods.stream().anyMatch(pod -> Cluster.ready(pod) && !pod.terminating());
        long ready = serves ? wanted : 0;
        long present = pods.isEmpty() ? 0 : wanted;
        var status =
                object(
                        "observedGeneration",
                        deployment.generation(),
                        "replicas",
                        present,
                        "updatedReplicas",
                        present,
                        "readyReplicas",
                        ready,
                        "availableReplicas",
                        ready,
                        "unavailableReplicas",
                        wanted - ready);
        var changed = deployment.with(status, "status");
        if (!changed.sameAt(deployment, "status")) {
            cluster.kube.mergePatchStatus(
                    Types.DEPLOYMENT, deployment.key(), object("status", status));
        }
    }
}
