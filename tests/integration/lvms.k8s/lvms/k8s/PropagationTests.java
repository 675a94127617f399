package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.Await;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.DeleteOptions.Propagation;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What becomes of dependents is what the deletion of their owner asked for. */
@Timeout(120)
@Behaviour(82)
class PropagationTests {
    private static final ObjectKey OWNER = ObjectKey.of("default", "owner");
    private static final ObjectKey DEPENDENT = ObjectKey.of("default", "dependent");
    private static final String FINALIZER = "example.com/hold";

    @TempDir private Path folder;
    private ApiServer server;
    private KubeClient client;
    private KubeObject owner;
    private KubeObject dependent;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        client =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "tests/1")
                        .withFieldManager("tests");
        owner = client.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, OWNER));
        dependent =
                client.create(
                        Types.CONFIG_MAP,
                        KubeObject.create(Types.CONFIG_MAP, DEPENDENT).controlledBy(owner));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    private Deletion delete(Propagation propagation) throws Exception {
        var options = DeleteOptions.uid(owner.uid()).propagation(propagation);
        return client.delete(Types.CONFIG_MAP, OWNER, options);
    }

    private Optional<KubeObject> find(ObjectKey key) {
        try {
            return client.find(Types.CONFIG_MAP, key);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void backgroundRemovesThemAfterTheOwner() throws Exception {
        assertEquals(Deletion.GONE, delete(Propagation.BACKGROUND));
        Await.until("the dependent is gone", () -> find(DEPENDENT).isEmpty());
    }

    @Test
    void foregroundKeepsTheOwnerUntilTheyAreGone() throws Exception {
        var held = client.addFinalizer(Types.CONFIG_MAP, dependent, FINALIZER);
        assertEquals(Deletion.IN_PROGRESS, delete(Propagation.FOREGROUND));
        Await.until(
                "the dependent goes",
                () -> find(DEPENDENT).filter(KubeObject::terminating).isPresent());
        assertEquals(Optional.of(true), find(OWNER).map(KubeObject::terminating));
        client.removeFinalizer(Types.CONFIG_MAP, held, FINALIZER);
        Await.until("both are gone", () -> find(OWNER).isEmpty() && find(DEPENDENT).isEmpty());
    }

    @Test
    void orphansStayWithoutTheirOwner() throws Exception {
        delete(Propagation.ORPHAN);
        Await.until("the owner is gone", () -> find(OWNER).isEmpty());
        assertEquals(Optional.of(List.of()), find(DEPENDENT).map(KubeObject::ownerReferences));
    }
}
