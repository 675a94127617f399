package lvms.operator.unit;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Optional;

/** Pods of the namespace reach, and are reached at, what operator and agents need. */
class NetworkPolicyTests {
    private static final String DNS =
            "{'ports':[{'protocol':'TCP','port':5353},{'protocol':'UDP','port':5353}],"
                    + "'to':[{'namespaceSelector':{'matchLabels':"
                    + "{'kubernetes.io/metadata.name':'openshift-dns'}},'podSelector':"
                    + "{'matchLabels':{'dns.operator.openshift.io/daemonset-dns':'default'}}}]}";

    private static List<KubeObject> policies(ClusterType type) {
        return NetworkPolicyUnit.desired(cluster("{'name':'a'}"), type);
    }

    private static void expect(String spec, KubeObject policy) {
        var types = ",'policyTypes':['Ingress','Egress']}";
        assertEquals(
                tree(spec.substring(0, spec.length() - 1) + types),
                policy.object("spec").orElseThrow());
    }

    @Test
    void whatAllowsComesBeforeWhatDenies() {
        assertEquals(
                List.of("lvms-operator-allow", "lvms-vg-manager-allow", "lvms-default-deny"),
                policies(ClusterType.OTHER).stream().map(KubeObject::name).toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSHIFT", "MICROSHIFT"})
    void onOpenShiftOnlyTheApiServerAndTheNameServerAreReached(ClusterType type) {
        var egress = "'egress':[{'ports':[{'protocol':'TCP','port':6443}]}," + DNS + "]}";
        var policies = policies(type);
        expect(
                "{'podSelector':{'matchLabels':{'app.kubernetes.io/name':'lvms-operator'}},"
                        + "'ingress':[{'ports':[{'protocol':'TCP','port':9443}]},"
                        + "{'ports':[{'protocol':'TCP','port':8443}]}],"
                        + egress,
                policies.getFirst());
        expect(
                "{'podSelector':{'matchLabels':{'app.kubernetes.io/name':'vg-manager'}},"
                        + "'ingress':[{'ports':[{'protocol':'TCP','port':8443}]}],"
                        + egress,
                policies.get(1));
    }

    /** Nothing tells which port is behind the Service of the API server. */
    @Test
    void elsewhereOurPodsReachWhateverTheyNeed() {
        for (var policy : policies(ClusterType.OTHER).subList(0, 2)) {
            assertEquals(List.of(tree("{}")), policy.objects("spec", "egress"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherPodsOfTheNamespaceReachNothing(ClusterType type) {
        expect("{'podSelector':{},'ingress':[],'egress':[]}", policies(type).getLast());
    }

    @Test
    void theyBelongToTheirCluster() {
        for (var policy : policies(ClusterType.OTHER)) {
            assertEquals("lvms-system", policy.namespace());
            assertEquals(Optional.of("my"), policy.label("owned-by.topolvm.io/name"));
            var owner = policy.ownerReferences().getFirst();
            assertEquals("u1", owner.uid());
            assertTrue(owner.controller());
        }
    }
}
