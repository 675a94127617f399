package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** An object keeps every field it was read with, exactly, and never changes. */
class KubeObjectTests {
    private static KubeObject parse(String text) {
        return KubeObject.of((ObjectTree) Json.parse(text));
    }

    private final KubeObject sample =
            parse(
                    "{\"apiVersion\":\"g/v1\",\"kind\":\"K\",\"metadata\":{\"name\":\"n\",\"namespace\":\"s\","
                        + "\"uid\":\"u\",\"resourceVersion\":\"5\",\"generation\":3,"
                        + "\"labels\":{\"a\":\"b\"},\"finalizers\":[\"x/y\"],"
                        + "\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"},"
                        + "\"spec\":{\"big\":9007199254740993,\"f\":1.50,\"on\":true,\"no\":null,"
                        + "\"items\":[{\"i\":1},2,{\"i\":3}]}}");

    @Test
    void readsWellKnownFields() {
        assertEquals("s/n", sample.key().toString());
        assertEquals("u", sample.uid());
        assertEquals(3, sample.generation());
        assertEquals(Map.of("a", "b"), sample.labels());
        assertEquals(List.of("x/y"), sample.finalizers());
        assertTrue(sample.terminating());
        assertEquals(
                Instant.parse("2026-01-02T03:04:05Z"), sample.deletionTimestamp().orElseThrow());
        assertTrue(sample.ownerReferences().isEmpty());
    }

    @Test
    void answersAbsentForWhatIsMissingOrOfAnotherType() {
        assertEquals(Optional.empty(), sample.text("spec", "big"));
        assertEquals(Optional.empty(), sample.text("spec", "items", "i"));
        assertEquals(OptionalLong.empty(), sample.number("spec", "f"));
        assertEquals(Optional.empty(), sample.object("spec", "on"));
        assertEquals(Optional.empty(), sample.value("spec", "no"));
        assertEquals(2, sample.objects("spec", "items").size());
        assertEquals(3, sample.list("spec", "items").size());
        assertEquals(ListTree.EMPTY, sample.list("status", "items"));
    }

    @Test
    void keepsIntegersAboveTwoToTheFiftyThirdAndUnknownFields() {
        assertEquals(9007199254740993L, sample.number("spec", "big").orElseThrow());
        assertTrue(sample.toJson().contains("9007199254740993"));
        assertTrue(sample.toJson().contains("\"no\":null"));
        assertFalse(sample.toJsonWithoutNulls().contains("null"));
        var huge = "{\"n\":123456789012345678901234567890,\"m\":-9223372036854775808}";
        assertEquals(huge, parse(huge).toJson());
    }

    @Test
    void doesNotChangeWhenWhatIsMadeOfItDoes() {
        var copy = sample.json().toBuilder();
        copy.put("metadata", "other");
        sample.object("spec").orElseThrow().toBuilder().put("x", 1);
        assertEquals("n", sample.name());
        assertFalse(sample.object("spec").orElseThrow().has("x"));
        var source = ObjectTree.builder();
        var object = KubeObject.of(source.build());
        source.put("kind", "later");
        assertEquals("", object.kind());
    }

    @Test
    void changesACopy() {
        var changed = sample.with("v", "spec", "deep", "er").with(7, "spec", "big");
        assertEquals("v", changed.text("spec", "deep", "er").orElseThrow());
        assertEquals(7, changed.number("spec", "big").orElseThrow());
        assertEquals(true, changed.flag("spec", "on").orElseThrow());
        assertEquals(Optional.empty(), sample.text("spec", "deep", "er"));
        var without = changed.without("spec", "deep");
        assertEquals(Optional.empty(), without.object("spec", "deep"));
        assertSame(without, without.without("spec", "nothing", "there"));
    }

    @Test
    void comparesByValue() {
        assertEquals(parse("{\"a\":1,\"b\":1.0}"), parse("{\"b\":1,\"a\":1}"));
        assertNotEquals(parse("{\"a\":9007199254740993}"), parse("{\"a\":9007199254740992}"));
        assertNotEquals(parse("{\"a\":\"1\"}"), parse("{\"a\":1}"));
        assertTrue(sample.sameAt(sample.with("x", "metadata", "name"), "spec"));
        assertFalse(sample.sameAt(sample.with("x", "metadata", "name"), "metadata", "name"));
    }

    @Test
    void tellsNoContentInItsText() {
        assertEquals("K s/n", sample.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}{}",
                "{a:1}",
                "{'a':1}",
                "[1,]",
                "NaN",
                "{\"a\":01}",
                "[1;2]",
                "tru"
            })
    void refusesWhatIsNotStrictJson(String text) {
        assertThrows(JsonException.class, () -> Json.parse(text));
    }

    @Test
    void refusesDeepNestingAndEndlessNumbers() {
        assertThrows(JsonException.class, () -> Json.parse("[".repeat(300)));
        assertThrows(JsonException.class, () -> Json.parse("9".repeat(1000)));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.5Z, 2026-01-02T03:04:05.5Z",
        "2026-01-02T03:04:05.123456789123Z, 2026-01-02T03:04:05.123456789Z",
        "2026-01-02T05:04:05+02:00, 2026-01-02T03:04:05Z",
        "2026-01-01T22:34:05.000001-04:30, 2026-01-02T03:04:05.000001Z"
    })
    @Behaviour(86)
    void readsTimes(String text, Instant expected) {
        assertEquals(expected, Times.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-01-02",
                "2026-13-02T03:04:05Z",
                "2026-01-02T03:04:05",
                "2026-01-02 03:04:05Z",
                "2026-01-02T03:04:05.Z",
                "2026-01-02T03:04:05+0200",
                "2026-01-0aT03:04:05Z"
            })
    @Behaviour(86)
    void refusesWhatIsNoTime(String text) {
        assertTrue(Times.read(text).isEmpty());
    }

    @Test
    @Behaviour(86)
    void writesTimesInTheirTwoFormats() {
        var time = Instant.parse("2026-01-02T03:04:05.000123999Z");
        assertEquals("2026-01-02T03:04:05Z", Times.seconds(time));
        assertEquals("2026-01-02T03:04:05.000123Z", Times.micros(time));
    }

    @Test
    void movesATransitionTimeOnlyWithTheStatus() {
        var first = condition(Condition.Status.TRUE, "A", 1);
        var conditions = Condition.merge(List.of(condition("Other")), first);
        conditions = Condition.merge(conditions, condition(Condition.Status.TRUE, "B", 9));
        assertEquals("B", conditions.get(1).reason());
        assertEquals(Instant.ofEpochSecond(1), conditions.get(1).lastTransitionTime());
        conditions = Condition.merge(conditions, condition(Condition.Status.FALSE, "B", 9));
        assertEquals(Instant.ofEpochSecond(9), conditions.get(1).lastTransitionTime());
        assertEquals(2, conditions.size());
        assertEquals(conditions.get(1), Condition.of(conditions.get(1).json()));
    }

    private static Condition condition(Condition.Status status, String reason, long second) {
        return new Condition("T", status, reason, "m", 2, Instant.ofEpochSecond(second));
    }

    private static Condition condition(String type) {
        return new Condition(type, Condition.Status.UNKNOWN, "R", "", 0, Instant.EPOCH);
    }

    @Test
    void comparesResourceVersionsOnlyWhereThatIsDefined() {
        assertEquals(OptionalInt.of(-1), ResourceVersions.compare("9", "10"));
        assertEquals(OptionalInt.of(0), ResourceVersions.compare("10", "10"));
        assertEquals(
                OptionalInt.of(1),
                ResourceVersions.compare("20000000000000000000", "19999999999999999999"));
        for (var opaque : List.of("", "0", "01", "abc", "-1", "1.0")) {
            assertEquals(OptionalInt.empty(), ResourceVersions.compare(opaque, "10"), opaque);
        }
    }

    @Test
    void knowsTheGrammarsOfNames() {
        assertTrue(Names.isDnsSubdomain("a-1.b.c"));
        assertTrue(Names.isDnsLabel("a".repeat(63)));
        for (var bad : List.of("", "-a", "a-", "a..b", "A", "a_b", ".a", "a.")) {
            assertFalse(Names.isDnsSubdomain(bad), bad);
        }
        assertFalse(Names.isDnsLabel("a.b"));
        assertFalse(Names.isDnsLabel("a".repeat(64)));
        assertFalse(Names.isDnsSubdomain("a".repeat(254)));
    }
}
