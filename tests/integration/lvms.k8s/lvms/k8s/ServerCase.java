package lvms.k8s;

import lvms.k8s.client.KubeClient;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client at an API server, both for one test. */
public abstract class ServerCase {
    protected ApiServer server;
    protected KubeClient client;

    @BeforeEach
    final void open() throws Exception {
        server = Servers.start();
        client = KubeClient.open(server.config(), "tests/1").withFieldManager("tests");
    }

    @AfterEach
    final void close() throws Exception {
        client.close();
        server.close();
    }
}
