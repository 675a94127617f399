package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.deploy.Roles;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

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
     * Neither is used: snapshots are read when a claim names one, classes when they are written.
     */
    @Test
    @Safety(37)
    void nobodyMayFollowWhatNobodyFollows() throws Exception {
        assertEquals(List.of(), Roles.read(Roles.AGENT).verbsEverywhere("storageclasses"));
        var operator = Roles.read(Roles.OPERATOR);
        for (var resource : List.of("volumesnapshots", "volumesnapshotclasses")) {
            assertFalse(operator.verbsEverywhere(resource).contains("watch"), resource);
        }
    }
}
