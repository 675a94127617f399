package example.team;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Optional;

/** The controller that ships, and an API server in memory that fails on demand. */
@Timeout(60)
class TeamControllerTest {
    private static final ObjectKey BLUE = ObjectKey.of("blue", TeamController.MAP);

    private ApiServer server;
    private KubeClient kube;
    private TeamController controller;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.start();
        kube = KubeClient.open(server.config(), "tests/1.0").withFieldManager("tests");
        controller = new TeamController(kube);
    }

    @AfterEach
    void stop() throws Exception {
        controller.close();
        kube.close();
        server.close();
    }

    @Test
    void aNamespaceOfATeamGetsItsMap() throws Exception {
        createNamespace("blue", "Ann");
        awaitName("Ann");
    }

    @Test
    void aMapThatSomebodyDeletesComesBack() throws Exception {
        createNamespace("blue", "Ann");
        awaitName("Ann");
        var first = kube.get(Types.CONFIG_MAP, BLUE).uid();
        kube.delete(Types.CONFIG_MAP, BLUE, DeleteOptions.uid(first));
        awaitName("Ann");
    }

    @Test
    void aServerThatIsBusyAndCutsWatchesDelaysItOnly() throws Exception {
        server.faults().answer(request -> request.method().equals("PATCH"), 3, 503, "busy");
        createNamespace("blue", "Ann");
        server.faults().cutWatches();
        awaitName("Ann");
        var patches =
                server.faults().requests().stream().filter(r -> r.method().equals("PATCH")).count();
        assertTrue(patches > 3, () -> patches + " patches");
    }

    @Test
    void aRestartedServerIsFollowed() throws Exception {
        createNamespace("blue", "Ann");
        awaitName("Ann");
        server.stop();
        server.restart();
        var namespace = KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("blue"));
        kube.apply(
                Types.NAMESPACE, namespace.with("Bob", "metadata", "labels", TeamController.LABEL));
        awaitName("Bob");
    }

    private void createNamespace(String name, String team) throws Exception {
        var namespace = KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(name));
        kube.create(
                Types.NAMESPACE, namespace.with(team, "metadata", "labels", TeamController.LABEL));
    }

    /** Awaits the state; the test's timeout bounds it. */
    private void awaitName(String expected) throws Exception {
        Optional<String> name = Optional.empty();
        while (!name.equals(Optional.of(expected))) {
            Thread.sleep(10);
            name = kube.find(Types.CONFIG_MAP, BLUE).flatMap(map -> map.text("data", "name"));
        }
        assertEquals(Optional.of(expected), name);
    }
}
