package lvms.operator.takeover;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;

import java.util.stream.Collectors;

/** How a Deployment or DaemonSet is getting on. */
final class Workload {
    private Workload() {}

    /** The labels by which it selects its pods; empty if it has none. */
    static String selector(KubeObject workload) {
        return workload.textMap("spec", "selector", "matchLabels").entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .collect(Collectors.joining(","));
    }

    /**
     * Whether a pod that a workload selects is another Deployment's, by the ReplicaSet that owns
     * it. NativeStor's Deployments, one for each node, all select the same labels.
     */
    static boolean isOfAnother(KubeObject pod, KubeObject workload) {
        return pod.ownerReferences().stream()
                .filter(owner -> owner.kind().equals("ReplicaSet"))
                .map(OwnerReference::name)
                .anyMatch(set -> !set.replaceFirst("-[^-]*$", "").equals(workload.name()));
    }

    /** Whether its pods are those that it asks for now, and ready. */
    static boolean ready(KubeObject workload) {
        if (status(workload, "observedGeneration") < workload.generation()) {
            return false;
        }
        if (workload.kind().equals("DaemonSet")) {
            long wanted = status(workload, "desiredNumberScheduled");
            return status(workload, "updatedNumberScheduled") == wanted
                    && status(workload, "numberReady") == wanted;
        }
        long wanted = workload.number("spec", "replicas").orElse(1);
        return wanted > 0
                && status(workload, "updatedReplicas") == wanted
                && status(workload, "readyReplicas") > 0;
    }

    private static long status(KubeObject workload, String name) {
        return workload.number("status", name).orElse(0);
    }
}
