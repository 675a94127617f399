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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A claim hears of a change of its volume's condition, not of each look at it. */
class ConditionEventsTests {
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

    private static LogicalVolume volume(String name, Map<String, String> annotations) {
        var spec = new LogicalVolume.Spec(name, "n1", Quantity.ZERO, "ssd", "", "", "");
        return LogicalVolume.of(LogicalVolume.create(Driver.TOPOLVM, spec, annotations));
    }

    /** Volumes as they are called with and without flags about their names. */
    private static Stream<LogicalVolume> volumes() {
        var claim = "topolvm.io/claim";
        return Stream.of(
                volume("pvc-" + UID, Map.of(claim, "app/data")),
                volume("disk-" + UID, Map.of(claim, "app/data")),
                volume("disk-0a1b2c3d", Map.of(claim, "app/data", "topolvm.io/claim-uid", UID)));
    }

    private static List<String> told(KubeClient kube) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("regarding", "uid").orElse("").equals(UID))
                .map(event -> event.text("type").orElse("") + " " + event.text("note").orElse(""))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("volumes")
    void aChangeIsToldOnceAndTheEndOfItToo(LogicalVolume volume) throws Exception {
        try (var server = Servers.start();
                var kube =
                        KubeClient.open(server.config(server.token()), "test")
                                .withFieldManager("test");
                var events = EventRecorder.open(kube, "example.com/test", "n1")) {
            kube.create(
                    Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("app")));
            var conditions = new ConditionEvents(_ -> Optional.of(volume), events);
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
