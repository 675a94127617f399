package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.ProvisionerSettings;
import lvms.tests.runner.Lasts;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** Data goes from one namespace to another if, and only if, the source's namespace grants it. */
@Lasts(seconds = 50)
class CrossNamespaceTests {
    private static final long GIB = 1L << 30;
    private static final ProvisionerSettings ON = new ProvisionerSettings("", false, true);
    private static final Path DEFINITION =
            Path.of("tests/integration/lvms.operator/lvms/operator/csi/reference-grants.yaml");
    private static final ResourceType GRANT =
            new ResourceType(
                    "gateway.networking.k8s.io",
                    "v1beta1",
                    "ReferenceGrant",
                    "referencegrants",
                    true);
    private static final ObjectKey COPY = ObjectKey.of("other", "copy");
    private static final String OF_ALL = "{'group':'','kind':'PersistentVolumeClaim'}";

    /**
     * A bound claim {@code default/data}, and a claim in the namespace {@code other} that copies.
     */
    private static DriverCluster copying(ProvisionerSettings settings, String grants)
            throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB, settings);
        try {
            beginCopy(cluster, grants);
            return cluster;
        } catch (Exception | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private static void beginCopy(DriverCluster cluster, String grants) throws Exception {
        cluster.create(Types.NAMESPACE, "{'metadata':{'name':'other'}}");
        if (!grants.isEmpty()) {
            cluster.define(DEFINITION, GRANT);
            cluster.create(GRANT, grants);
        }
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.awaitBound("data");
        cluster.createClaim(
                COPY,
                "fast",
                "1Gi",
                ",'dataSourceRef':{'kind':'PersistentVolumeClaim','name':'data',"
                        + "'namespace':'default'}");
    }

    private static String grant(String namespace, String from, String to) {
        return ("{'metadata':{'namespace':'%s','name':'g'},'spec':{'from':"
                    + "[{'group':'','kind':'PersistentVolumeClaim','namespace':'%s'}],'to':[%s]}}")
                .formatted(namespace, from, to);
    }

    private static boolean bound(DriverCluster cluster) throws Exception {
        return cluster.kube.get(Types.PVC, COPY).text("spec", "volumeName").isPresent();
    }

    @Test
    void aGrantedSourceIsCopiedAndItsProtectionEnds() throws Exception {
        try (var cluster = copying(ON, grant("default", "other", OF_ALL))) {
            cluster.await("the copy is bound", () -> bound(cluster));
            assertEquals(
                    1,
                    cluster.volumes().stream()
                            .filter(volume -> !volume.spec().source().isEmpty())
                            .count());
            cluster.delete(Types.PVC, COPY);
            cluster.delete(Types.PVC, claim("data"));
            cluster.awaitNothingLeft();
            cluster.await("both claims are gone", () -> cluster.list(Types.PVC).isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'group':'','kind':'PersistentVolumeClaim','name':'another'}",
                "{'group':'snapshot.storage.k8s.io','kind':'VolumeSnapshot'}",
                "{'group':'','kind':'Secret'}",
            })
    void aGrantOfSomethingElseIsNoGrantAndARightOneIsFound(String to) throws Exception {
        try (var cluster = copying(ON, grant("default", "other", to))) {
            cluster.awaitEvent("ProvisioningFailed", "no ReferenceGrant in namespace default lets");
            assertEquals(1, cluster.volumes().size());
            cluster.patch(
                    GRANT,
                    ObjectKey.of("default", "g"),
                    "{'spec':{'to':[{'group':'','kind':'PersistentVolumeClaim','name':'data'}]}}");
            cluster.await("the copy is bound", () -> bound(cluster));
        }
    }

    @Test
    void aGrantOfTheClaimsOwnNamespaceIsNoGrant() throws Exception {
        try (var cluster = copying(ON, grant("other", "other", OF_ALL))) {
            cluster.awaitEvent("ProvisioningFailed");
            assertEquals(1, cluster.volumes().size());
        }
    }

    @Test
    void aGrantToAnotherNamespaceIsNoGrant() throws Exception {
        try (var cluster = copying(ON, grant("default", "third", OF_ALL))) {
            cluster.awaitEvent("ProvisioningFailed");
            assertEquals(1, cluster.volumes().size());
        }
    }

    @Test
    @OursAlone("on a real server the definition of the tests before is still there")
    void aClusterWithoutGrantsSaysSo() throws Exception {
        try (var cluster = copying(ON, "")) {
            cluster.awaitEvent("ProvisioningFailed", "this cluster has no ReferenceGrants");
        }
    }

    @Test
    void nobodyReadsGrantsUnlessItIsTurnedOn() throws Exception {
        try (var cluster =
                copying(ProvisionerSettings.DEFAULT, grant("default", "other", OF_ALL))) {
            cluster.server.faults().forgetRequests();
            var event = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(event.contains("--cross-namespace-volume-data-source"), event);
            assertTrue(
                    cluster.server.faults().requests().stream()
                            .noneMatch(r -> r.target().contains("referencegrants")));
            assertEquals(1, cluster.volumes().size());
        }
    }
}
