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
import lvms.node.client.FakeLvmd;
import lvms.node.client.LvmdConnection;
import lvms.node.client.LvmdWatch;
import lvms.tests.server.Nodes;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Claims go elsewhere while there is no lvmd that could make their volumes. */
@Timeout(60)
class LvmdCapacityTests {
    private static final String NODE = "n1";

    @TempDir Path folder;

    private static void await(KubeClient kube, String deviceClass, long bytes) throws Exception {
        var key = Driver.TOPOLVM.capacityAnnotation(deviceClass);
        Patience.until(
                key + " is " + bytes,
                () ->
                        kube.get(Types.NODE, ObjectKey.cluster(NODE))
                                .annotation(key)
                                .filter(Long.toString(bytes)::equals)
                                .isPresent());
    }

    /** Nothing else changes on a quiet node, so only the Node itself tells of it. */
    @Test
    void whatSomebodyElseChangesInTheNodeIsWrittenAgain() throws Exception {
        var socket = folder.resolve("lvmd.sock");
        var key = ObjectKey.cluster(NODE);
        var annotation = Driver.TOPOLVM.capacityAnnotation("ssd");
        var finalizer = Driver.TOPOLVM.nodeFinalizer();
        try (var server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test");
                var fake = new FakeLvmd(socket).with("ssd", false);
                var lvmd = new LvmdConnection(socket);
                var watch = new LvmdWatch(lvmd);
                var capacity =
                        new LvmdCapacity(
                                kube,
                                Drivers.of(Driver.TOPOLVM),
                                watch,
                                NODE,
                                MetricsRegistry.unread())) {
            Nodes.create(kube, KubeObject.create(Types.NODE, key));
            fake.start();
            capacity.start();
            watch.start();
            await(kube, "ssd", 1L << 30);
            kube.mergePatch(
                    Types.NODE,
                    MergePatch.of(kube.get(Types.NODE, key)).withoutAnnotation(annotation));
            await(kube, "ssd", 1L << 30);
            kube.mergePatch(
                    Types.NODE,
                    MergePatch.of(kube.get(Types.NODE, key)).annotation(annotation, "7"));
            await(kube, "ssd", 1L << 30);
            kube.removeFinalizer(Types.NODE, kube.get(Types.NODE, key), finalizer);
            awaitFinalizer(kube, finalizer);
            kube.delete(Types.NODE, key, DeleteOptions.any());
            kube.removeFinalizer(Types.NODE, kube.get(Types.NODE, key), finalizer);
            Patience.until("it is gone", () -> kube.find(Types.NODE, key).isEmpty());
            Nodes.create(kube, KubeObject.create(Types.NODE, key));
            await(kube, "ssd", 1L << 30);
            awaitFinalizer(kube, finalizer);
        }
    }

    private static void awaitFinalizer(KubeClient kube, String finalizer) throws Exception {
        Patience.until(
                finalizer,
                () ->
                        kube.get(Types.NODE, ObjectKey.cluster(NODE))
                                .finalizers()
                                .contains(finalizer));
    }

    @Test
    void theClassesHaveNoRoomWhileLvmdIsAwayForLongerThanARestart() throws Exception {
        var socket = folder.resolve("lvmd.sock");
        try (var server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test");
                var fake = new FakeLvmd(socket).with("ssd", false).with("thin", true);
                var lvmd = new LvmdConnection(socket);
                var watch = new LvmdWatch(lvmd);
                var capacity =
                        new LvmdCapacity(
                                kube,
                                Drivers.of(Driver.TOPOLVM),
                                watch,
                                NODE,
                                new MetricsRegistry(),
                                Duration.ofMillis(300))) {
            Nodes.create(kube, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
            fake.start();
            capacity.start();
            watch.start();
            await(kube, "ssd", 1L << 30);
            await(kube, "thin", 5L << 30);
            fake.stop();
            await(kube, "ssd", 0);
            await(kube, "thin", 0);
            await(kube, "", 0);
            fake.start();
            await(kube, "ssd", 1L << 30);
            await(kube, "thin", 5L << 30);
        }
    }
}
