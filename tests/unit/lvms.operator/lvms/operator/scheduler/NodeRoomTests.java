package lvms.operator.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.Optional;

/** A node is refused, and scored, by what it announces of the classes that the pod asks for. */
class NodeRoomTests {
    private static KubeObject annotated(Map<String, String> capacities) {
        var object = KubeObject.create(Types.NODE, ObjectKey.cluster("n1"));
        for (var capacity : capacities.entrySet()) {
            var key = "capacity.topolvm.io/" + capacity.getKey();
            object = object.with(capacity.getValue(), "metadata", "annotations", key);
        }
        return object;
    }

    private static Demand demand(Map<String, String> capacities) {
        return Demand.of(Driver.TOPOLVM, annotated(capacities));
    }

    private static NodeRoom node(Map<String, String> capacities) {
        return new NodeRoom(Driver.TOPOLVM, annotated(capacities));
    }

    @ParameterizedTest(name = "{0} free for {1}: {2}")
    @CsvSource({
        "1073741824, 1073741824,",
        "1073741823, 1073741824, out of VG free space",
        "0, 0,",
        "18446744073709551615, 9223372036854775807,",
        "10, -1, out of VG free space",
        "-1, 1, bad capacity annotation: -1",
        "foo, 1, bad capacity annotation: foo",
        "1Gi, 1, bad capacity annotation: 1Gi"
    })
    void comparesOneClass(String free, String wanted, String refusal) {
        assertEquals(
                Optional.ofNullable(refusal),
                node(Map.of("ssd", free)).refusal(demand(Map.of("ssd", wanted))));
    }

    @Test
    void aNodeWithoutTheClassIsRefused() {
        assertEquals(
                Optional.of("no capacity annotation"),
                node(Map.of("hdd", "100")).refusal(demand(Map.of("ssd", "1"))));
    }

    @Test
    void everyClassOfThePodHasToFit() {
        var pod = demand(Map.of("ssd", "10", "hdd", "10", "00default", "10"));
        assertEquals(
                Optional.empty(),
                node(Map.of("ssd", "10", "hdd", "10", "00default", "10")).refusal(pod));
        assertEquals(
                Optional.of("out of VG free space"),
                node(Map.of("ssd", "10", "hdd", "9", "00default", "10")).refusal(pod));
    }

    @Test
    void aClassThatIsClosedOnTheNodeHasNoRoom() {
        var closed =
                annotated(Map.of("ssd", "10"))
                        .with("ssd", "metadata", "annotations", "lvms.topolvm.io/no-new-volumes");
        assertEquals(
                Optional.of("no new volumes of ssd are wanted here"),
                new NodeRoom(Driver.TOPOLVM, closed).refusal(demand(Map.of("ssd", "1"))));
    }

    @Test
    void aWishThatIsNoNumberKeepsNoNodeOut() {
        assertEquals(Optional.empty(), node(Map.of()).refusal(demand(Map.of("ssd", "much"))));
    }

    @Test
    void annotationsOfTheOtherDriverDoNotCount() {
        var legacy = new NodeRoom(Driver.LEGACY, annotated(Map.of("ssd", "100")));
        assertEquals(
                Optional.of("no capacity annotation"), legacy.refusal(demand(Map.of("ssd", "1"))));
    }

    @ParameterizedTest(name = "{0} bytes by {1} score {2}")
    @CsvSource({
        "0, 1, 0",
        "1, 1, 1",
        "1073741824, 1, 1",
        "137438953472, 1, 7",
        "137438953472, 2, 6",
        "137438953472, 0.5, 8",
        "18446744073709551615, 1, 10",
        "8589934592, 1, 3",
        "8589934591, 1, 2",
        "1073741824, 64, 1",
        "nonsense, 1, 0"
    })
    void scoresByTheLogarithmOfTheFreeGibibytes(String free, double divisor, int score) {
        assertEquals(
                score,
                node(Map.of("ssd", free))
                        .score(demand(Map.of("ssd", "1")), new Divisors(divisor, Map.of())));
    }

    @Test
    void theClassWithTheLeastRoomDecides() {
        var divisors = new Divisors(1, Map.of("hdd", 16.0));
        var node = node(Map.of("ssd", "137438953472", "hdd", "137438953472"));
        assertEquals(3, node.score(demand(Map.of("ssd", "1", "hdd", "1")), divisors));
        assertEquals(7, node.score(demand(Map.of("ssd", "1", "nvme", "1")), divisors));
        assertEquals(0, node.score(demand(Map.of("nvme", "1")), divisors));
    }
}
