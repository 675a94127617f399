package lvms.deploy;

import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Assumptions;

import java.nio.file.Path;

/** The policy for node agents, on an API server. */
@DependsOnVersion("an old server knows fewer functions in the expressions of policies")
class NodePolicyTests extends NodePolicyRules {
    private ApiServer server;

    @Override
    Path start() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        return server.kubeconfig(directory);
    }

    @Override
    void stop() throws Exception {
        server.close();
    }
}
