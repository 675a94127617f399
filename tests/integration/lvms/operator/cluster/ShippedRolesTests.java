package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.tests.apiserver.Faults.Seen;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The roles in {@code deploy/} allow everything that the controllers of a cluster do. */
class ShippedRolesTests {
    private static final Path OPERATOR = Path.of("deploy/operator-rbac.yaml");
    private static final Set<String> OTHERS =
            Set.of("test", "vg-manager", "kubelet", "daemon-set-controller");

    @Test
    void theOperatorMayDoAllThatItDoesInTheLifeOfACluster() throws Exception {
        var seen = new ArrayList<Seen>();
        try (var site = Site.open()) {
            site.node("n1");
            site.server.faults().forgetRequests();
            site.startOperator();
            site.create(cluster("{'name':'vg1','default':true}"));
            site.rollOut(1);
            Site.await("group", () -> !site.groups().isEmpty());
            site.report("n1", "Ready");
            site.awaitState("Ready");
            seen.addAll(site.server.faults().requests());
            site.delete(LvmCluster.TYPE, CLUSTER);
            site.server.faults().forgetRequests();
            site.awaitObject(
                    LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1"), KubeObject::terminating);
            site.release("vg1", "n1");
            site.unregister("n1");
            site.awaitGone(LvmCluster.TYPE, CLUSTER);
            seen.addAll(site.server.faults().requests());
        }
        var roles = Roles.read(OPERATOR);
        var refused = new TreeSet<String>();
        for (var request : seen) {
            if (Roles.isResource(request) && !OTHERS.contains(Roles.writer(request))) {
                var asked = Roles.Request.of(request);
                if (!roles.allow(asked)) {
                    refused.add(asked.toString());
                }
            }
        }
        assertEquals(Set.of(), refused);
        assertTrue(seen.stream().anyMatch(r -> Roles.writer(r).equals("lvms-operator")));
    }

    @Test
    void theOperatorCannotReadSecretsOrStartPods() throws Exception {
        var roles = Roles.read(OPERATOR);
        assertEquals(List.of(), roles.verbsEverywhere("secrets"));
        assertEquals(List.of("list", "patch"), roles.verbsEverywhere("pods"));
        for (var resource : List.of("daemonsets", "lvmvolumegroups", "leases")) {
            assertEquals(List.of(), roles.verbsEverywhere(resource), resource);
        }
    }

    @Test
    void anAgentCannotTouchClaimsVolumesOrClusters() throws Exception {
        var roles = Roles.read(Path.of("deploy/vg-manager-rbac.yaml"));
        for (var resource :
                List.of("persistentvolumeclaims", "persistentvolumes", "pods", "secrets")) {
            assertEquals(List.of(), roles.verbsEverywhere(resource), resource);
        }
        assertFalse(
                roles.allow(
                        new Roles.Request(
                                "patch", "lvm.topolvm.io", "lvmclusters", NAMESPACE, "my")));
        assertFalse(
                roles.allow(
                        new Roles.Request("create", "topolvm.io", "logicalvolumes", "", "pvc-1")));
    }
}
