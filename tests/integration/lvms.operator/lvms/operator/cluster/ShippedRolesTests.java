package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.Roles;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the roles in {@code deploy/} do not allow. That they allow enough is checked after each test
 * that lets operator or agent work.
 */
class ShippedRolesTests {
    @Test
    void theOperatorCannotReadSecretsOrStartPods() throws Exception {
        var roles = Roles.read(Roles.OPERATOR);
        assertEquals(List.of(), roles.verbsEverywhere("secrets"));
        assertEquals(List.of("list", "patch"), roles.verbsEverywhere("pods"));
        for (var resource : List.of("daemonsets", "lvmvolumegroups", "leases")) {
            assertEquals(List.of(), roles.verbsEverywhere(resource), resource);
        }
    }

    @Test
    void anAgentCannotTouchClaimsVolumesOrClusters() throws Exception {
        var roles = Roles.read(Roles.AGENT);
        for (var resource : List.of("persistentvolumeclaims", "pods", "secrets")) {
            assertEquals(List.of(), roles.verbsEverywhere(resource), resource);
        }
        assertEquals(List.of("get"), roles.verbsEverywhere("persistentvolumes"));
        assertFalse(
                roles.allow(
                        new Roles.Request(
                                "patch", "lvm.topolvm.io", "lvmclusters", NAMESPACE, "my")));
        assertFalse(
                roles.allow(
                        new Roles.Request("create", "topolvm.io", "logicalvolumes", "", "pvc-1")));
    }

    /**
     * The nodes make them, and know what is free; those of a Node that is gone nobody else would
     * delete.
     */
    @Test
    void theOperatorMakesNoRawDevice() throws Exception {
        var roles = Roles.read(Roles.OPERATOR, Roles.NATIVE_STOR, Roles.RAW_DEVICE_OPERATOR);
        assertEquals(
                List.of("delete", "get", "list", "patch", "watch"),
                roles.verbsEverywhere("rawdevices"));
        assertEquals(List.of("patch"), roles.verbsEverywhere("rawdevices/status"));
        assertEquals(
                List.of(),
                Roles.read(Roles.OPERATOR, Roles.NATIVE_STOR).verbsEverywhere("rawdevices"));
    }

    /** Snapshots are read when a claim names one. */
    @Test
    @Safety(37)
    void nobodyMayFollowWhatNobodyFollows() throws Exception {
        assertEquals(List.of(), Roles.read(Roles.AGENT).verbsEverywhere("storageclasses"));
        var operator = Roles.read(Roles.OPERATOR);
        assertFalse(operator.verbsEverywhere("volumesnapshots").contains("watch"));
    }

    /** OpenShift gives whoever may write any of them every right on nodes. */
    @Test
    void theOperatorTouchesOneSecurityContextConstraints() throws Exception {
        var operator = Roles.read(Roles.OPERATOR);
        for (var verb : List.of("get", "list", "watch", "patch", "delete")) {
            assertTrue(operator.allow(constraints(verb, "lvms-vgmanager")), verb);
            assertFalse(operator.allow(constraints(verb, "privileged")), verb);
        }
        assertFalse(operator.allow(constraints("use", "lvms-vgmanager")));
        assertFalse(operator.allow(constraints("use", "privileged")));
    }

    private static Roles.Request constraints(String verb, String name) {
        return new Roles.Request(
                verb, "security.openshift.io", "securitycontextconstraints", "", name);
    }

    /** Roles for people are merged into those of Kubernetes, so they give no more than they say. */
    @Test
    void whoMayViewReadsAndWhoAdministersWritesClusters() throws Exception {
        assertPeople(Path.of("deploy/base/user-roles.yaml"), "lvmclusters");
        assertPeople(Path.of("deploy/nativestor/user-roles.yaml"), "topolvmclusters");
    }

    private static void assertPeople(Path people, String clusters) throws Exception {
        var reading = List.of("get", "list", "watch");
        for (var object : Yaml.readAll(Files.readString(people))) {
            var role = KubeObject.of(object.asObject());
            boolean viewer = role.label("rbac.authorization.k8s.io/aggregate-to-view").isPresent();
            for (var rule : role.objects("rules")) {
                var verbs = rule.texts("verbs");
                assertEquals(viewer, reading.containsAll(verbs), role.name());
                assertTrue(viewer || rule.texts("resources").equals(List.of(clusters)));
            }
        }
    }
}
