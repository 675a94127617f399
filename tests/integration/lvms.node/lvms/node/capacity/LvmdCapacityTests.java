package lvms.node.capacity;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.deploy.Patience;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.node.client.FakeLvmd;
import lvms.node.client.LvmdConnection;
import lvms.node.client.LvmdWatch;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Claims go elsewhere while there is no lvmd that could make their volumes. */
@Timeout(60)
class LvmdCapacityTests {
    private static final String NODE = "n1";

    private static final ObjectKey KEY = ObjectKey.cluster(NODE);

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private FakeLvmd fake;
    private LvmdConnection lvmd;
    private LvmdWatch watch;

    @BeforeEach
    void prepare() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Nodes.create(kube, KubeObject.create(Types.NODE, KEY));
        var socket = folder.resolve("lvmd.sock");
        fake = new FakeLvmd(socket).with("ssd", false).with("thin", true);
        lvmd = new LvmdConnection(socket);
        watch = new LvmdWatch(lvmd);
    }

    @AfterEach
    void end() throws Exception {
        watch.close();
        lvmd.close();
        fake.close();
        kube.close();
        server.close();
    }

    private LvmdCapacity started(Duration patience) throws Exception {
        var capacity =
                new LvmdCapacity(
                        kube,
                        Drivers.of(Driver.TOPOLVM),
                        watch,
                        NODE,
                        MetricsRegistry.unread(),
                        patience);
        fake.start();
        capacity.start();
        watch.start();
        return capacity;
    }

    private KubeObject node() throws Exception {
        return kube.get(Types.NODE, KEY);
    }

    private void await(String deviceClass, long bytes) throws Exception {
        var key = Driver.TOPOLVM.capacityAnnotation(deviceClass);
        Patience.until(
                key + " is " + bytes,
                () -> node().annotation(key).filter(Long.toString(bytes)::equals).isPresent());
    }

    private void awaitFinalizer() throws Exception {
        var finalizer = Driver.TOPOLVM.nodeFinalizer();
        Patience.until(finalizer, () -> node().finalizers().contains(finalizer));
    }

    private void removeFinalizer() throws Exception {
        kube.removeFinalizer(Types.NODE, node(), Driver.TOPOLVM.nodeFinalizer());
    }

    /** Nothing else changes on a quiet node, so only the Node itself tells of it. */
    @Test
    void whatSomebodyElseChangesInTheNodeIsWrittenAgain() throws Exception {
        var annotation = Driver.TOPOLVM.capacityAnnotation("ssd");
        try (var _ = started(Duration.ofMinutes(1))) {
            await("ssd", 1L << 30);
            kube.mergePatch(Types.NODE, MergePatch.of(node()).withoutAnnotation(annotation));
            await("ssd", 1L << 30);
            kube.mergePatch(Types.NODE, MergePatch.of(node()).annotation(annotation, "7"));
            await("ssd", 1L << 30);
            removeFinalizer();
            awaitFinalizer();
            kube.delete(Types.NODE, KEY, DeleteOptions.any());
            removeFinalizer();
            Patience.until("it is gone", () -> kube.find(Types.NODE, KEY).isEmpty());
            Nodes.create(kube, KubeObject.create(Types.NODE, KEY));
            await("ssd", 1L << 30);
            awaitFinalizer();
        }
    }

    @Test
    void theClassesHaveNoRoomWhileLvmdIsAwayForLongerThanARestart() throws Exception {
        try (var _ = started(Duration.ofMillis(300))) {
            await("ssd", 1L << 30);
            await("thin", 5L << 30);
            fake.stop();
            for (var deviceClass : new String[] {"ssd", "thin", ""}) {
                await(deviceClass, 0);
            }
            fake.start();
            await("ssd", 1L << 30);
            await("thin", 5L << 30);
        }
    }
}
