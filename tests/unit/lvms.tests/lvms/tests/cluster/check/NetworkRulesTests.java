package lvms.tests.cluster.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;

class NetworkRulesTests {
    /** A listener, a peer of it, a peer of ours, and one of loopback: as the kernel shows them. */
    private static final List<String> TCP =
            List.of(
                    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt",
                    "   0: 00000000:20FB 00000000:0000 0A 00000000:00000000 00:00000000 00000000",
                    "   1: 0502F40A:20FB 0102D50A:C350 01 00000000:00000000 00:00000000 00000000",
                    "   2: 0502F40A:9C40 0100600A:01BB 06 00000000:00000000 00:00000000 00000000",
                    "   3: 0100007F:9C40 0100007F:20FB 01 00000000:00000000 00:00000000 00000000");

    private static final String ALLOW =
            """
            spec:
              podSelector: {matchLabels: {app.kubernetes.io/name: a}}
              policyTypes: [Ingress, Egress]
              ingress: [{ports: [{protocol: TCP, port: 8443}]}]
              egress: [{ports: [{protocol: TCP, port: 443}], to: [{podSelector: {}}]}]
            """;

    private static final String DENY = "spec: {podSelector: {}, policyTypes: [Ingress, Egress]}";

    private static KubeObject policy(String yaml) {
        return KubeObject.of(Yaml.read(yaml).asObject());
    }

    private static List<String> refused(String pod, String... policies) {
        var rules = new NetworkRules(List.of(policies).stream().map(p -> policy(p)).toList());
        return rules.refused(Connection.of(pod, TCP)).stream().map(c -> c.toString()).toList();
    }

    @Test
    void connectionsAreReadAsTheKernelShowsThem() {
        assertEquals(
                List.of(
                        new Connection("a", true, "10.213.2.1", 8443),
                        new Connection("a", false, "10.96.0.1", 443)),
                Connection.of("a", TCP));
        var mapped =
                "  1: 0000000000000000FFFF00000502F40A:9C40"
                        + " 0000000000000000FFFF00000100600A:01BB 01 0:0";
        assertEquals(
                List.of(new Connection("a", false, "10.96.0.1", 443)),
                Connection.of("a", List.of(mapped)));
    }

    @Test
    void aPodIsRefusedWhatNoneOfItsPoliciesAllows() {
        assertEquals(List.of(), refused("a"));
        assertEquals(List.of("a: to 10.96.0.1 port 443"), refused("a", ALLOW, DENY));
        assertEquals(List.of(), refused("b", ALLOW));
        assertEquals(
                List.of("b: port 8443 from 10.213.2.1", "b: to 10.96.0.1 port 443"),
                refused("b", ALLOW, DENY));
    }
}
