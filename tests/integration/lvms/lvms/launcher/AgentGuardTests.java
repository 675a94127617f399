package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.Patience;
import lvms.deploy.PolicyFile;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.runner.Safety;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/** A node agent does nothing in a cluster that would let it write about other nodes. */
@Timeout(60)
class AgentGuardTests {
    private static final ObjectKey NODE = ObjectKey.cluster("n1");

    private final List<String> told = new ArrayList<>();
    private ApiServer server;
    private KubeClient admin;
    private KubeClient agent;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        admin = KubeClient.open(server.config(), "test").withFieldManager("test");
        var account = "system:serviceaccount:elsewhere:vg-manager";
        var token = server.issueToken(account, "system:masters");
        agent = KubeClient.open(server.config(token), "vg-manager").withFieldManager("vg-manager");
        admin.create(Types.NODE, KubeObject.create(Types.NODE, NODE));
    }

    @AfterEach
    void stop() throws Exception {
        agent.close();
        admin.close();
        server.close();
    }

    private boolean guarded(boolean end) throws Exception {
        return new Guard(agent, NODE.name(), told::add, _ -> end).await();
    }

    @Test
    @Safety(35)
    void anAgentWaitsUntilThePolicyIsInForce() throws Exception {
        // a real server forgets the policy of a test before only after a moment
        Patience.until("no policy is in force", () -> !guarded(true));
        told.clear();
        assertFalse(guarded(true), "it ended and did not begin to work");
        assertEquals(1, told.size());
        assertTrue(told.getFirst().contains("kubectl apply -k deploy/guard"), told.toString());
        PolicyFile.NODE.create(admin);
        assertTrue(guarded(false));
        assertEquals(List.of(), List.copyOf(admin.get(Types.NODE, NODE).labels().keySet()));
    }
}
