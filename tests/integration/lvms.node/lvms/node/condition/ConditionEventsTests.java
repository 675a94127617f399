package lvms.node.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A claim hears of a change of its volume's condition, not of each look at it. */
class ConditionEventsTests {
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    private static final VolumeId ID = new VolumeId("id-1");
    private static final String FULL = "thin pool is out of data space";
    private static final String LOST = "partial: a physical volume is missing";
    private static final String HEALTHY = "Normal the volume is healthy again";

    private static LogicalVolume volume(String name, Map<String, String> annotations) {
        var spec = new LogicalVolume.Spec(name, "n1", Quantity.ZERO, "ssd", "", "", "");
        return LogicalVolume.of(LogicalVolume.create(Driver.TOPOLVM, spec, annotations));
    }

    private static LogicalVolume volume() {
        var volume = volume("pvc-" + UID, Map.of("topolvm.io/claim", "app/data"));
        return LogicalVolume.of(volume.object().with(ID.text(), "status", "volumeID"));
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

    @FunctionalInterface
    private interface Course {
        void of(ConditionEvents conditions);
    }

    /** Fails unless the claim of the volume is told this, in any order. */
    private static void requireTold(LogicalVolume volume, Course course, String... notes)
            throws Exception {
        try (var server = Servers.start();
                var kube =
                        KubeClient.open(server.config(server.token()), "test")
                                .withFieldManager("test");
                var events = EventRecorder.open(kube, "example.com/test", "n1")) {
            kube.create(
                    Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("app")));
            course.of(new ConditionEvents(_ -> Optional.of(volume), events));
            Looks.until(
                    () -> "all is told, not only " + told(kube),
                    Duration.ofSeconds(30),
                    () -> told(kube).size() >= notes.length);
            assertEquals(List.of(notes), told(kube));
        }
    }

    @ParameterizedTest
    @MethodSource("volumes")
    void aChangeIsToldOnceAndTheEndOfItToo(LogicalVolume volume) throws Exception {
        requireTold(
                volume,
                conditions -> {
                    conditions.observe(ID, Optional.empty());
                    conditions.observe(ID, Optional.of(FULL));
                    conditions.observe(ID, Optional.of(FULL));
                    conditions.observe(ID, Optional.empty());
                    conditions.observe(ID, Optional.empty());
                },
                HEALTHY,
                "Warning " + FULL);
    }

    /** The pod had to start anew to see the disk that is back. */
    @Test
    void theEndOfATroubleIsToldAlsoInTheNextPod() throws Exception {
        requireTold(
                volume(),
                conditions -> {
                    conditions.observe(ID, Optional.of(LOST));
                    conditions.left(ID);
                    conditions.observe(ID, Optional.empty());
                },
                HEALTHY,
                "Warning " + LOST);
    }

    @Test
    void aVolumeThatIsGoneIsForgotten() throws Exception {
        requireTold(
                volume(),
                conditions -> {
                    conditions.observe(ID, Optional.of(LOST));
                    conditions.left(ID);
                    conditions.removed(volume());
                    conditions.observe(ID, Optional.empty());
                    conditions.observe(ID, Optional.of(FULL));
                },
                "Warning " + LOST,
                "Warning " + FULL);
    }
}
