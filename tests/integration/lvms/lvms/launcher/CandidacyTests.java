package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How long a lease lasts depends on how many nodes the control plane has. */
@Timeout(60)
class CandidacyTests {
    private static final ObjectKey POD = ObjectKey.of("default", "operator-0");
    private static final String LABEL = "node-role.kubernetes.io/control-plane";

    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private LeaderElector elector() throws Exception {
        return new Candidacy(kube, POD, _ -> true).elector().orElseThrow();
    }

    private void node(String name, boolean controlPlane) throws Exception {
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster(name));
        kube.create(Types.NODE, controlPlane ? node.with("", "metadata", "labels", LABEL) : node);
    }

    @ParameterizedTest(name = "{0} of 4 nodes are of the control plane: {1} seconds of margin")
    @CsvSource({"0, 5", "1, 30", "3, 5"})
    void aSingleControlPlaneNodeGetsALongLease(int controlPlane, int marginSeconds)
            throws Exception {
        for (int i = 0; i < 4; i++) {
            node("n" + i, i < controlPlane);
        }
        try (var elector = elector()) {
            assertEquals(Duration.ofSeconds(marginSeconds), elector.margin());
        }
    }

    /** A power cut releases no lease, and nobody else waits for it. */
    @ParameterizedTest(name = "{0} control-plane nodes")
    @ValueSource(ints = {1, 3})
    void aContainerThatStartsAgainInItsPodLeadsAtOnce(int controlPlane) throws Exception {
        for (int i = 0; i < controlPlane; i++) {
            node("n" + i, true);
        }
        var former = elector();
        lead(former);
        try (var next = elector()) { // the former one has not released the lease
            lead(next);
        }
        former.close();
    }

    private static void lead(LeaderElector elector) throws InterruptedException {
        var leads = new CountDownLatch(1);
        elector.start(
                new LeaderElector.Listener() {
                    @Override
                    public void onStartedLeading() {
                        leads.countDown();
                    }

                    @Override
                    public void onStoppedLeading() {}
                });
        assertTrue(leads.await(10, TimeUnit.SECONDS), "does not lead");
    }

    @Test
    void aProcessThatIsToldToEndDoesNotWaitForTheServer() throws Exception {
        server.faults().answer(_ -> true, 1000, 500, "{}");
        assertTrue(new Candidacy(kube, POD, _ -> true).elector().isEmpty());
        server.faults().clear();
    }
}
