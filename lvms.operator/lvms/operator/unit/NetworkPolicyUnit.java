package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Owns the NetworkPolicies of the operator's namespace: nobody may connect to its pods or be
 * connected to from there, but for what operator and agents serve and call.
 *
 * @param applier writes
 * @param policies NetworkPolicies of the namespace
 * @param type says where the API server and the name server are
 */
public record NetworkPolicyUnit(Applier applier, Informer policies, ClusterType type)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final int WEBHOOKS = 9443;
    private static final int METRICS = 8443;
    private static final String NOTHING = "[]";

    // Ports are those behind a Service, which only OpenShift has the same in every cluster. A
    // policy that is wrong about them cuts the operator off, and it cannot change it any more.
    private static final String ANYTHING = "[{}]";
    private static final String OPENSHIFT =
            """
            [
              {"ports": [{"protocol": "TCP", "port": 6443}]},
              {
                "ports": [{"protocol": "TCP", "port": 5353}, {"protocol": "UDP", "port": 5353}],
                "to": [{
                  "namespaceSelector": {
                    "matchLabels": {"kubernetes.io/metadata.name": "openshift-dns"}
                  },
                  "podSelector": {
                    "matchLabels": {"dns.operator.openshift.io/daemonset-dns": "default"}
                  }
                }]
              }
            ]
            """;

    @Override
    public String name() {
        return "networkPolicies";
    }

    /** Returns the objects that the cluster asks for; what allows comes before what denies. */
    public static List<KubeObject> desired(LvmCluster cluster, ClusterType type) {
        var egress = type.ofOpenShift() ? OPENSHIFT : ANYTHING;
        return List.of(
                policy(cluster, "lvms-operator-allow")
                        .with(pods(Names.OPERATOR), "spec", "podSelector")
                        .with(ports(WEBHOOKS, METRICS), "spec", "ingress")
                        .with(Json.parse(egress), "spec", "egress"),
                policy(cluster, "lvms-vg-manager-allow")
                        .with(pods(Names.VG_MANAGER), "spec", "podSelector")
                        .with(ports(METRICS), "spec", "ingress")
                        .with(Json.parse(egress), "spec", "egress"),
                policy(cluster, "lvms-default-deny")
                        .with(ObjectTree.EMPTY, "spec", "podSelector")
                        .with(Json.parse(NOTHING), "spec", "ingress")
                        .with(Json.parse(NOTHING), "spec", "egress"));
    }

    private static KubeObject policy(LvmCluster cluster, String name) {
        var key = ObjectKey.of(cluster.namespace(), name);
        return Trees.owned(KubeObject.create(Types.NETWORK_POLICY, key), cluster)
                .with(Trees.of(Names.ownedBy(cluster)), "metadata", "labels")
                .with(ListTree.ofTexts(List.of("Ingress", "Egress")), "spec", "policyTypes");
    }

    private static ObjectTree pods(String name) {
        return ObjectTree.builder()
                .put("matchLabels", Trees.of(Map.of("app.kubernetes.io/name", name)))
                .build();
    }

    private static ListTree ports(int... numbers) {
        var rules = ListTree.builder();
        for (int number : numbers) {
            var port = ObjectTree.builder().put("protocol", "TCP").put("port", number).build();
            rules.add(ObjectTree.builder().put("ports", ListTree.of(port)).build());
        }
        return rules.build();
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        for (var wanted : desired(cluster, type)) {
            applier.apply(wanted, policies);
        }
        return new Outcome.Converged();
    }

    /** What denies goes first, so that the operator is never cut off. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var terminating = new ArrayList<String>();
        for (var wanted : desired(cluster, type).reversed()) {
            var present = policies.get(wanted.key()).filter(p -> Trees.isOwned(p, cluster));
            if (present.isPresent()
                    && applier.delete(Types.NETWORK_POLICY, present.get())
                            == Deletion.IN_PROGRESS) {
                terminating.add(wanted.name());
            }
        }
        return terminating.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "NetworkPolicies are terminating: " + String.join(", ", terminating), POLL);
    }
}
