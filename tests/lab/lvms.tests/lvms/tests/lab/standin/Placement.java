package lvms.tests.lab.standin;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.object.NodeSelector;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Taint;
import lvms.k8s.object.Toleration;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which nodes a pod fits on, and why not on the others: the filters of the scheduler that a volume
 * can trip. Pure.
 *
 * @param pod the pod
 * @param bound volumes of its bound claims
 * @param toProvision its claims that get a volume where the pod goes
 * @param capacities what the drivers report
 * @param limitedClasses classes whose driver wants its capacity to be looked at
 */
record Placement(
        KubeObject pod,
        List<KubeObject> bound,
        List<KubeObject> toProvision,
        List<KubeObject> capacities,
        List<String> limitedClasses) {

    /** The nodes that fit, and the reasons of the others in the scheduler's words. */
    record Verdict(List<KubeObject> fitting, String message) {}

    Verdict on(List<KubeObject> nodes) {
        Map<String, Integer> reasons = new TreeMap<>();
        var fitting =
                nodes.stream()
                        .filter(
                                node -> {
                                    var refusal = refusal(node);
                                    refusal.ifPresent(
                                            reason -> reasons.merge(reason, 1, Integer::sum));
                                    return refusal.isEmpty();
                                })
                        .toList();
        var counted =
                reasons.entrySet().stream()
                        .map(reason -> reason.getValue() + " " + reason.getKey())
                        .collect(Collectors.joining(", "));
        return new Verdict(fitting, "0/" + nodes.size() + " nodes are available: " + counted + ".");
    }

    private Optional<String> refusal(KubeObject node) {
        if (node.flag("spec", "unschedulable").orElse(false)) {
            return Optional.of("node(s) were unschedulable");
        }
        if (!Toleration.allTolerated(
                Taint.of(node), Toleration.listOf(pod.value("spec", "tolerations").orElse(null)))) {
            return Optional.of("node(s) had untolerated taint(s)");
        }
        if (!selects(node)) {
            return Optional.of("node(s) didn't match Pod's node affinity/selector");
        }
        if (!bound.stream().allMatch(volume -> reaches(volume, node))) {
            return Optional.of("node(s) had volume node affinity conflict");
        }
        if (!toProvision.stream().allMatch(claim -> chosenFor(claim, node) && holds(claim, node))) {
            return Optional.of("node(s) did not have enough free storage");
        }
        return Optional.empty();
    }

    private boolean selects(KubeObject node) {
        return node.labels().entrySet().containsAll(pod.textMap("spec", "nodeSelector").entrySet())
                && pod.object(
                                "spec",
                                "affinity",
                                "nodeAffinity",
                                "requiredDuringSchedulingIgnoredDuringExecution")
                        .map(selector -> NodeSelector.of(selector).matches(node))
                        .orElse(true);
    }

    private static boolean reaches(KubeObject volume, KubeObject node) {
        return volume.object("spec", "nodeAffinity", "required")
                .map(selector -> NodeSelector.of(selector).matches(node))
                .orElse(true);
    }

    private static boolean chosenFor(KubeObject claim, KubeObject node) {
        return claim.annotation(ClaimBinder.SELECTED_NODE).map(node.name()::equals).orElse(true);
    }

    private boolean holds(KubeObject claim, KubeObject node) {
        var className = claim.text("spec", "storageClassName").orElse("");
        return !limitedClasses.contains(className)
                || capacities.stream()
                        .filter(
                                capacity ->
                                        capacity.text("storageClassName")
                                                .orElse("")
                                                .equals(className))
                        .filter(capacity -> covers(capacity, node))
                        .anyMatch(
                                capacity ->
                                        largest(capacity).compareTo(ClaimBinder.request(claim))
                                                >= 0);
    }

    private static boolean covers(KubeObject capacity, KubeObject node) {
        return capacity.object("nodeTopology")
                .map(topology -> LabelSelector.of(topology).matches(node.labels()))
                .orElse(false);
    }

    private static Quantity largest(KubeObject capacity) {
        return capacity.value("maximumVolumeSize")
                .or(() -> capacity.value("capacity"))
                .map(Quantity::parse)
                .orElse(Quantity.ZERO);
    }
}
