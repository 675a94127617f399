package lvms.operator.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.operator.preflight.Check.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

/** What the API server says of itself, of the namespace and of its nodes. */
class ServerChecksTests {
    private static KubeObject object(String yaml) {
        return KubeObject.of(Yaml.read(yaml).asObject());
    }

    @ParameterizedTest
    @CsvSource({"v1.30.9, PROBLEM", "v1.31.0, OK", "v1.36.0-rc.1+k3s1, OK", "v2.0.0, OK"})
    void anOldServerIsInTheWay(String version, Verdict verdict) {
        assertEquals(verdict, ServerChecks.version(version).verdict());
    }

    @Test
    void theNamespaceHasToAllowPrivilegedPodsOrBeNew() {
        var name = "lvms-system";
        assertEquals(Verdict.OK, ServerChecks.namespace(name, Optional.empty()).verdict());
        var text = "{metadata: {name: lvms-system, labels: {%s: %s}}}";
        var label = "pod-security.kubernetes.io/enforce";
        var good = object(text.formatted(label, "privileged"));
        assertEquals(Verdict.OK, ServerChecks.namespace(name, Optional.of(good)).verdict());
        var bad =
                ServerChecks.namespace(
                        name, Optional.of(object(text.formatted(label, "baseline"))));
        assertEquals(Verdict.WARNING, bad.verdict());
        assertTrue(bad.text().endsWith("it enforces baseline"), bad::toString);
        var going =
                object(
                        "{metadata: {name: lvms-system, deletionTimestamp:"
                                + " \"2026-01-01T00:00:00Z\"}}");
        assertEquals(Verdict.PROBLEM, ServerChecks.namespace(name, Optional.of(going)).verdict());
    }

    @Test
    void nodesOfDistributionsWithAnotherFolderAreNamedWithTheArgument() {
        var nodes =
                List.of(
                        object("{metadata: {name: a}}"),
                        object(
                                "{metadata: {name: b}, status: {nodeInfo: {kubeletVersion:"
                                        + " v1.34.1+k0s}}}"),
                        object("{metadata: {name: w, labels: {kubernetes.io/os: windows}}}"));
        var checks = ServerChecks.nodes(nodes);
        assertEquals("2 of 3 can have an agent", checks.getFirst().text());
        assertEquals(
                "add --kubelet-root=/var/lib/k0s/kubelet to the operator", checks.getLast().cure());
        assertTrue(checks.getLast().text().startsWith("b should"), checks::toString);
        assertEquals(Verdict.PROBLEM, ServerChecks.nodes(nodes.subList(2, 3)).getFirst().verdict());
    }
}
