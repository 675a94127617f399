package lvms.tests.cluster.check;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Map;

/**
 * What NetworkPolicies would do to connections, where nothing enforces them.
 *
 * <p>A pod that a policy selects may do what one of its policies allows. A rule with peers allows
 * nothing here: ours name pods of OpenShift.
 *
 * @param policies all of the pods' namespace
 */
public record NetworkRules(List<KubeObject> policies) {
    private static final String NAME = "app.kubernetes.io/name";

    /** Returns the connections that would not have come to be. */
    public List<Connection> refused(List<Connection> connections) {
        return connections.stream().filter(c -> !allows(c)).toList();
    }

    private boolean allows(Connection connection) {
        var of =
                policies.stream()
                        .filter(policy -> isAbout(policy, connection))
                        .filter(policy -> selects(policy, connection.pod()))
                        .toList();
        var direction = connection.incoming() ? "ingress" : "egress";
        return of.isEmpty()
                || of.stream()
                        .flatMap(policy -> policy.objects("spec", direction).stream())
                        .anyMatch(rule -> allows(rule, connection));
    }

    private static boolean isAbout(KubeObject policy, Connection connection) {
        return policy.list("spec", "policyTypes")
                .texts()
                .contains(connection.incoming() ? "Ingress" : "Egress");
    }

    private static boolean selects(KubeObject policy, String pod) {
        var selector = policy.object("spec", "podSelector").orElse(ObjectTree.EMPTY);
        return LabelSelector.of(selector).matches(Map.of(NAME, pod));
    }

    private static boolean allows(ObjectTree rule, Connection connection) {
        boolean anybody = rule.objects("from").isEmpty() && rule.objects("to").isEmpty();
        var ports = rule.objects("ports");
        return anybody
                && (ports.isEmpty()
                        || ports.stream().anyMatch(port -> covers(port, connection.port())));
    }

    private static boolean covers(ObjectTree port, int number) {
        return port.text("protocol").orElse("TCP").equals("TCP")
                && port.number("port").orElse(number) == number;
    }
}
