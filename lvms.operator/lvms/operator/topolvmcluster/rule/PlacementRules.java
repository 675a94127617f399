package lvms.operator.topolvmcluster.rule;

import lvms.k8s.object.KubeObject;
import lvms.operator.cluster.rule.Findings;
import lvms.operator.cluster.rule.Verdict;

import java.util.Collection;
import java.util.Comparator;

/** Where a TopolvmCluster may be, and which of several is in charge. */
public final class PlacementRules {
    private static final Comparator<KubeObject> AGE =
            Comparator.comparing((KubeObject o) -> o.creationTimestamp().orElseThrow())
                    .thenComparing(KubeObject::uid);

    private PlacementRules() {}

    /**
     * Judges a place.
     *
     * @param namespace where the operator is
     * @param all every TopolvmCluster, this one among them
     */
    public static Verdict check(KubeObject cluster, String namespace, Collection<KubeObject> all) {
        var findings = new Findings();
        findings.errorIf(
                !cluster.namespace().equals(namespace),
                "a TopolvmCluster has to be in the namespace of the operator: create it in "
                        + namespace
                        + " instead");
        all.stream()
                .filter(other -> other.namespace().equals(namespace))
                .min(AGE)
                .filter(oldest -> cluster.namespace().equals(namespace))
                .filter(oldest -> !oldest.uid().equals(cluster.uid()))
                .ifPresent(
                        oldest ->
                                findings.error(
                                        "only support one cluster instance: TopolvmCluster "
                                                + oldest.name()
                                                + " is older and in charge; add the nodes and"
                                                + " devices there, or delete it"));
        return findings.verdict();
    }
}
