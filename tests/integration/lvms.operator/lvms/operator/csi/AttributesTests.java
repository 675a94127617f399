package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Lasts;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim's VolumeAttributesClass reaches its volume, and the status says how far it is. */
@DependsOnVersion("VolumeAttributesClass came to v1 with 1.34")
@Lasts(seconds = 25)
class AttributesTests {
    private static final long GIB = 1L << 30;
    private static final String GOLD = ",'volumeAttributesClassName':'gold'";

    @BeforeEach
    void theTypeIsServed() {
        assumeFalse(Servers.before(34), "servers before 1.34 have no VolumeAttributesClass of v1");
    }

    private static DriverCluster cluster() throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        attributes(cluster, "gold", "'topolvm.io/read-ahead':'1Mi'");
        attributes(cluster, "silver", "'topolvm.io/allocation-policy':'cling'");
        return cluster;
    }

    private static void attributes(DriverCluster cluster, String name, String parameters)
            throws Exception {
        cluster.create(
                Types.VOLUME_ATTRIBUTES_CLASS,
                "{'metadata':{'name':'%s'},'driverName':'topolvm.io','parameters':{%s}}"
                        .formatted(name, parameters));
    }

    private static void ask(DriverCluster cluster, String name) throws Exception {
        cluster.patch(
                Types.PVC, claim("data"), "{'spec':{'volumeAttributesClassName':'" + name + "'}}");
    }

    private static KubeObject data(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.PVC, claim("data"));
    }

    private static String progress(DriverCluster cluster) throws Exception {
        return data(cluster).text("status", "modifyVolumeStatus", "status").orElse("");
    }

    private static String ofVolume(DriverCluster cluster) throws Exception {
        var name = data(cluster).text("spec", "volumeName").orElseThrow();
        return cluster.kube
                .get(Types.PV, ObjectKey.cluster(name))
                .text("spec", "volumeAttributesClassName")
                .orElse("");
    }

    private static void awaitCurrent(DriverCluster cluster, String name) throws Exception {
        cluster.await(
                "the claim has " + name,
                () ->
                        data(cluster)
                                        .text("status", "currentVolumeAttributesClassName")
                                        .orElse("")
                                        .equals(name)
                                && progress(cluster).isEmpty());
    }

    private static String applied(DriverCluster cluster) throws Exception {
        return AttributeChange.of(cluster.volumes().getFirst()).applied();
    }

    @Test
    void aNewVolumeHasThemBeforeItIsHandedOut() throws Exception {
        try (var cluster = cluster()) {
            cluster.createClaim("data", "fast", "1Gi", GOLD);
            cluster.awaitBound("data");
            assertEquals("read-ahead=1Mi", applied(cluster));
            assertEquals("gold", ofVolume(cluster));
        }
    }

    @Test
    void aClaimWaitsForItsClass() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.createClaim("data", "fast", "1Gi", GOLD);
            assertTrue(cluster.awaitEvent("ProvisioningFailed").contains("gold does not exist"));
            attributes(cluster, "gold", "'topolvm.io/read-ahead':'none'");
            cluster.awaitBound("data");
            assertEquals("read-ahead=none", applied(cluster));
        }
    }

    @Test
    void aChangeReachesTheVolumeAndKeepsWhatItDoesNotName() throws Exception {
        try (var cluster = cluster()) {
            cluster.createClaim("data", "fast", "1Gi", GOLD);
            cluster.awaitBound("data");
            ask(cluster, "silver");
            awaitCurrent(cluster, "silver");
            assertEquals("read-ahead=1Mi,allocation-policy=cling", applied(cluster));
            assertEquals("silver", ofVolume(cluster));
            assertTrue(data(cluster).condition("ModifyingVolume").isEmpty());
            cluster.awaitEvent("VolumeModifySuccessful");
        }
    }

    @Test
    void whatCannotBeDoneIsInfeasibleUntilSomethingElseIsAsked() throws Exception {
        try (var cluster = cluster()) {
            attributes(cluster, "bad", "'topolvm.io/iops':'5'");
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.awaitBound("data");
            ask(cluster, "bad");
            cluster.await("it is infeasible", () -> progress(cluster).equals("Infeasible"));
            var error = data(cluster).condition("ModifyVolumeError").orElseThrow().message();
            assertTrue(error.startsWith("VolumeAttributesClass bad: parameter topolvm.io/iops"));
            assertEquals("", applied(cluster));
            ask(cluster, "gold");
            awaitCurrent(cluster, "gold");
            assertTrue(data(cluster).condition("ModifyVolumeError").isEmpty());
        }
    }

    @Test
    void aMissingClassIsWaitedFor() throws Exception {
        try (var cluster = cluster()) {
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.awaitBound("data");
            ask(cluster, "later");
            cluster.await("it is pending", () -> progress(cluster).equals("Pending"));
            attributes(cluster, "later", "'topolvm.io/read-ahead':'8Ki'");
            awaitCurrent(cluster, "later");
            assertEquals("read-ahead=8Ki", applied(cluster));
        }
    }

    @Test
    void aRefusalOfTheNodeIsToldAndTriedAgain() throws Exception {
        try (var cluster = cluster()) {
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.awaitBound("data");
            cluster.agent.failNext(cluster.volumes().getFirst().name(), StatusCode.INTERNAL);
            ask(cluster, "gold");
            assertEquals("node n1: injected", cluster.awaitEvent("VolumeModifyFailed"));
            awaitCurrent(cluster, "gold");
            assertEquals("read-ahead=1Mi", applied(cluster));
        }
    }

    @Test
    void theNextOperatorFinishesWhatWasBegun() throws Exception {
        try (var cluster = cluster()) {
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.awaitBound("data");
            cluster.agent.hold();
            ask(cluster, "gold");
            cluster.await(
                    "the node is asked",
                    () ->
                            AttributeChange.of(cluster.volumes().getFirst())
                                    .wanted()
                                    .equals("read-ahead=1Mi"));
            cluster.killOperator();
            cluster.agent.resume();
            cluster.await("it is applied", () -> applied(cluster).equals("read-ahead=1Mi"));
            cluster.startOperator();
            awaitCurrent(cluster, "gold");
        }
    }
}
