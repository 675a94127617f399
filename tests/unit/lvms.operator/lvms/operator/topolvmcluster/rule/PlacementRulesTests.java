package lvms.operator.topolvmcluster.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;

/** One TopolvmCluster is in charge: the oldest in the operator's namespace. */
class PlacementRulesTests {
    private static final String HERE = "nativestor-system";

    private static KubeObject cluster(String namespace, String name, String created) {
        return KubeObject.of(
                Yaml.read(
                                """
                                metadata:
                                  namespace: %s
                                  name: %s
                                  uid: uid-%s
                                  creationTimestamp: "%s"
                                """
                                        .formatted(namespace, name, name, created))
                        .asObject());
    }

    private static List<String> errors(KubeObject cluster, KubeObject... all) {
        return PlacementRules.check(cluster, HERE, List.of(all)).errors();
    }

    @Test
    void theOldestIsInCharge() {
        var old = cluster(HERE, "z", "2026-01-01T00:00:00Z");
        var young = cluster(HERE, "a", "2026-01-01T00:00:01Z");
        assertEquals(List.of(), errors(old, young, old));
        assertEquals(
                List.of(
                        "only support one cluster instance: TopolvmCluster z is older and in"
                                + " charge; add the nodes and devices there, or delete it"),
                errors(young, young, old));
    }

    @Test
    void ofTwoThatAreEquallyOldTheUidDecides() {
        var a = cluster(HERE, "a", "2026-01-01T00:00:00Z");
        var b = cluster(HERE, "b", "2026-01-01T00:00:00Z");
        assertEquals(List.of(), errors(a, b, a));
        assertEquals(1, errors(b, b, a).size());
    }

    @Test
    void oneElsewhereIsToldWhereToGoAndIsInNobodysWay() {
        var elsewhere = cluster("default", "a", "2025-01-01T00:00:00Z");
        var here = cluster(HERE, "b", "2026-01-01T00:00:00Z");
        assertEquals(
                List.of(
                        "a TopolvmCluster has to be in the namespace of the operator: create it in"
                                + " nativestor-system instead"),
                errors(elsewhere, elsewhere, here));
        assertEquals(List.of(), errors(here, elsewhere, here));
    }
}
