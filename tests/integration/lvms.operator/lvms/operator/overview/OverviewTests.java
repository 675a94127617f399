package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.deploy.Roles;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.List;

/** One look at the server is enough, it changes nothing, and a missing right is one line. */
class OverviewTests {
    private static final InstantSource CLOCK = InstantSource.system();
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "overview").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        create("{apiVersion: v1, kind: Namespace, metadata: {name: lvms-system}}");
        Scene.working()
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Released", "old")
                .create(kube);
        server.faults().forgetRequests();
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private void create(String yaml) throws Exception {
        kube.create(Types.NAMESPACE, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private void forbid(String plural) {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/" + plural),
                        100,
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":"
                            + "\"Forbidden\",\"code\":403,\"message\":\""
                                + plural
                                + " is forbidden: you may not\"}");
    }

    @Test
    void everythingIsReadAndNothingIsWritten() throws Exception {
        var overview = Overview.read(kube, CLOCK);
        assertEquals(List.of(), overview.gaps());
        assertEquals(1, overview.volumes().size());
        assertEquals(1, VolumeReport.retained(overview).count());
        assertEquals(
                5, StatusReport.of(overview).stream().filter(s -> !s.rows().isEmpty()).count());
        assertTrue(server.faults().requests().stream().allMatch(r -> r.method().equals("GET")));
    }

    /** In the operator's pod the commands have the rights of the operator. */
    @Test
    void theOperatorsRoleIsEnoughForIt() throws Exception {
        Overview.read(kube, CLOCK);
        Roles.requireAllowed(server.faults().requests(), "overview", Roles.OPERATOR);
    }

    @Test
    void aMissingRightIsOneLineAndTheRestIsThere() throws Exception {
        forbid("nodes");
        var overview = Overview.read(kube, CLOCK);
        assertEquals(1, overview.gaps().size(), overview.gaps().toString());
        assertTrue(
                overview.gaps().getFirst().contains("nodes is forbidden: you may not"),
                overview.gaps().toString());
        assertEquals(1, overview.volumes().size());
        assertTrue(overview.knows(LogicalVolume.TYPE) && !overview.knows(Types.NODE));
    }

    @Test
    void shippedObjectsThatAreMissingAreNamedAndOneLineForEachKindThatMayNotBeRead()
            throws Exception {
        forbid("clusterroles");
        var answer = InstallationFindings.of(kube, Installation.ofOperator("lvms-system"));
        assertTrue(
                answer.findings().stream()
                        .anyMatch(f -> f.subject().equals("Role lvms-system/vg-manager")),
                answer.findings().toString());
        assertTrue(
                answer.findings().stream().noneMatch(f -> f.subject().startsWith("Namespace")),
                answer.findings().toString());
        assertEquals(1, answer.gaps().size(), answer.gaps().toString());
    }

    @Test
    void aClaimThatDoesNotExistIsAnError() {
        var failure =
                assertThrows(
                        ApiException.NotFound.class,
                        () -> ClaimExplanation.of(kube, Scene.claim(), CLOCK));
        assertTrue(
                failure.getMessage().contains("persistentvolumeclaims \"data\" not found"),
                failure.getMessage());
    }

    @Test
    void aClaimIsExplainedAlsoWithoutTheRightToReadEvents() throws Exception {
        kube.create(
                Types.PVC,
                KubeObject.of(
                        Yaml.read(
                                        """
                                        apiVersion: v1
                                        kind: PersistentVolumeClaim
                                        metadata: {name: data, namespace: default}
                                        spec:
                                          storageClassName: lvms-ssd
                                          accessModes: [ReadWriteOnce]
                                          resources: {requests: {storage: 1Gi}}
                                        """)
                                .asObject()));
        forbid("events");
        var answer = ClaimExplanation.of(kube, Scene.claim(), CLOCK);
        assertTrue(
                answer.sections().getFirst().json().toString().contains("no pod uses it yet"),
                answer.sections().toString());
        assertEquals(1, answer.gaps().size(), answer.gaps().toString());
    }
}
