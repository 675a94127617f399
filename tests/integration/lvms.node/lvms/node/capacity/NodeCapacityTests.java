package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** A Node with volumes is held by one finalizer, which somebody will take off. */
class NodeCapacityTests {
    private static final ObjectKey N1 = ObjectKey.cluster("n1");
    private static final Map<String, String> ROOM = Map.of("capacity.topolvm.io/ssd", "1");
    private ApiServer server;
    private KubeClient kube;
    private NodeCapacity capacity;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Nodes.create(kube, KubeObject.create(Types.NODE, N1));
        capacity = new NodeCapacity(kube, "n1");
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private List<String> finalizers() throws Exception {
        return kube.get(Types.NODE, N1).finalizers();
    }

    /** As TopoLVM under its old name left it. */
    private void heldByTheOldName() throws Exception {
        kube.addFinalizer(Types.NODE, kube.get(Types.NODE, N1), "topolvm.cybozu.com/node");
    }

    @Test
    void theFinalizerOfAConvertedDriverMakesRoomForThePresentOne() throws Exception {
        heldByTheOldName();
        var both = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        capacity.write(both, _ -> ROOM);
        assertEquals(List.of("topolvm.io/node"), finalizers());
        capacity.write(both, _ -> ROOM);
        assertEquals(List.of("topolvm.io/node"), finalizers());
    }

    @Test
    void theOldNameHoldsTheNodeWhereItIsServedInItsOwnGroup() throws Exception {
        capacity.write(Drivers.of(Driver.LEGACY), _ -> ROOM);
        assertEquals(List.of("topolvm.cybozu.com/node"), finalizers());
    }

    @Test
    void anAgentOfThePresentNameAloneLeavesTheOldOneToOthers() throws Exception {
        heldByTheOldName();
        capacity.write(Drivers.DEFAULT, _ -> ROOM);
        assertEquals(List.of("topolvm.cybozu.com/node", "topolvm.io/node"), finalizers());
    }
}
