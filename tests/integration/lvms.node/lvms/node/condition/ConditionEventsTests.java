package lvms.node.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.node.csi.VolumeId;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A claim hears of a change of its volume's condition, not of each look at it. */
class ConditionEventsTests {
    private static LogicalVolume volume() {
        var spec = new LogicalVolume.Spec("pvc-u-1", "n1", Quantity.ZERO, "ssd", "", "", "");
        return LogicalVolume.of(
                LogicalVolume.create(Driver.TOPOLVM, spec, Map.of("topolvm.io/claim", "app/data")));
    }

    private static List<String> told(KubeClient kube) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("regarding", "uid").orElse("").equals("u-1"))
                .map(event -> event.text("type").orElse("") + " " + event.text("note").orElse(""))
                .sorted()
                .toList();
    }

    @Test
    void aChangeIsToldOnceAndTheEndOfItToo() throws Exception {
        try (var server = Servers.start();
                var kube =
                        KubeClient.open(server.config(server.token()), "test")
                                .withFieldManager("test");
                var events = EventRecorder.open(kube, "example.com/test", "n1")) {
            kube.create(
                    Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("app")));
            var conditions = new ConditionEvents(_ -> Optional.of(volume()), events);
            var id = new VolumeId("id-1");
            conditions.observe(id, Optional.empty());
            conditions.observe(id, Optional.of("thin pool is out of data space"));
            conditions.observe(id, Optional.of("thin pool is out of data space"));
            conditions.observe(id, Optional.empty());
            conditions.observe(id, Optional.empty());
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (told(kube).size() < 2) {
                assertTrue(System.nanoTime() < end, "never told: " + told(kube));
                LockSupport.parkNanos(5_000_000);
            }
            assertEquals(
                    List.of(
                            "Normal the volume is healthy again",
                            "Warning thin pool is out of data space"),
                    told(kube));
        }
    }
}
