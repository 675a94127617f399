package lvms.operator.node;

import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;
import lvms.operator.resize.FilesystemHint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The pods that name a claim. Pure.
 *
 * @param claim name of the claim
 * @param pods the pods; ended ones are among them, since they keep a claim that is being deleted
 */
record WaitingPods(String claim, List<KubeObject> pods) {
    /** Finds them among all pods of the namespace. */
    static WaitingPods of(String claim, List<KubeObject> all) {
        return new WaitingPods(
                claim, all.stream().filter(pod -> FilesystemHint.uses(pod, claim)).toList());
    }

    /**
     * Returns why they keep the claim.
     *
     * @param begin when they have to have been waiting already
     */
    Optional<DisposalObstacle> obstacle(Instant begin) {
        if (pods.isEmpty()) {
            return Optional.of(DisposalObstacle.NO_POD);
        }
        if (!pods.stream().allMatch(pod -> ofStatefulSet(pod) && unschedulable(pod).isPresent())) {
            return Optional.of(DisposalObstacle.IN_USE);
        }
        return pods.stream()
                .flatMap(pod -> unschedulable(pod).stream())
                .filter(since -> since.lastTransitionTime().isAfter(begin))
                .findFirst()
                .map(_ -> DisposalObstacle.TOO_EARLY);
    }

    /** Returns the other claims that they name. */
    List<String> otherClaims() {
        return pods.stream()
                .flatMap(pod -> FilesystemHint.claims(pod).stream())
                .filter(name -> !name.equals(claim))
                .distinct()
                .toList();
    }

    /** Only a claim of a StatefulSet's template is made anew, and this is how it is called. */
    private boolean ofStatefulSet(KubeObject pod) {
        return pod.ownerReferences().stream().anyMatch(WaitingPods::isStatefulSet)
                && pod.objects("spec", "volumes").stream()
                        .filter(v -> claim.equals(v.text("name").orElse("") + "-" + pod.name()))
                        .anyMatch(
                                v ->
                                        v.text("persistentVolumeClaim", "claimName")
                                                .filter(claim::equals)
                                                .isPresent());
    }

    private static boolean isStatefulSet(OwnerReference owner) {
        return owner.controller()
                && owner.kind().equals("StatefulSet")
                && owner.group().equals("apps");
    }

    private static Optional<Condition> unschedulable(KubeObject pod) {
        return pod.condition("PodScheduled")
                .filter(_ -> pod.text("spec", "nodeName").orElse("").isEmpty())
                .filter(_ -> pod.text("status", "phase").equals(Optional.of("Pending")))
                .filter(_ -> !pod.terminating())
                .filter(condition -> condition.status() == Condition.Status.FALSE)
                .filter(condition -> condition.reason().equals("Unschedulable"))
                .filter(condition -> condition.lastTransitionTime().isAfter(Instant.EPOCH));
    }
}
