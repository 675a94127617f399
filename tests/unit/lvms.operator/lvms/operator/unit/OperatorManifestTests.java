package lvms.operator.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The manifests keep one operator working, whatever happens to one node. */
class OperatorManifestTests {
    private static final long SOON_SECONDS = 30;

    private static List<KubeObject> objects() throws Exception {
        return Yaml.readAll(Files.readString(Path.of("deploy/base/operator.yaml"))).stream()
                .map(tree -> KubeObject.of(tree.asObject()))
                .toList();
    }

    private static ObjectTree pod() throws Exception {
        return objects().getFirst().object("spec", "template", "spec").orElseThrow();
    }

    private static Map<String, String> labels() throws Exception {
        return objects().getFirst().textMap("spec", "template", "metadata", "labels");
    }

    @Test
    void twoOperatorsAreOnTwoNodesWhereThereAreTwo() throws Exception {
        assertEquals(2, objects().getFirst().number("spec", "replicas").orElseThrow());
        var spread = pod().objects("topologySpreadConstraints").getFirst();
        assertEquals(Optional.of("kubernetes.io/hostname"), spread.text("topologyKey"));
        assertEquals(1, spread.number("maxSkew").orElseThrow());
        assertTrue(
                labels().entrySet()
                        .containsAll(spread.textMap("labelSelector", "matchLabels").entrySet()));
        // The pods of an update count for themselves, and a node that takes none does not count.
        assertEquals(List.of("pod-template-hash"), spread.texts("matchLabelKeys"));
        assertEquals(Optional.of("Honor"), spread.text("nodeTaintsPolicy"));
    }

    @Test
    void aLostNodeIsLeftSoon() throws Exception {
        var seconds =
                pod().objects("tolerations").stream()
                        .filter(toleration -> toleration.number("tolerationSeconds").isPresent())
                        .collect(
                                Collectors.toMap(
                                        toleration -> toleration.text("key").orElseThrow(),
                                        toleration ->
                                                toleration
                                                        .number("tolerationSeconds")
                                                        .orElseThrow()));
        assertEquals(
                Map.of(
                        "node.kubernetes.io/not-ready",
                        SOON_SECONDS,
                        "node.kubernetes.io/unreachable",
                        SOON_SECONDS),
                seconds);
    }

    @Test
    void aDrainTakesOneOperatorAtATime() throws Exception {
        var budget = objects().getLast();
        assertEquals("PodDisruptionBudget", budget.kind());
        assertEquals(1, budget.number("spec", "maxUnavailable").orElseThrow());
        assertTrue(
                labels().entrySet()
                        .containsAll(budget.textMap("spec", "selector", "matchLabels").entrySet()));
    }
}
