package lvms.k8s.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

/** What is read twice is kept once, whatever shares a slot stays apart, and tables do not grow. */
class SharedTests {
    @Test
    void equalNamesAndValuesBecomeOne() {
        var first = Json.parse("{\"driver\":\"topolvm.io\",\"big\":\"" + "x".repeat(65) + "\"}");
        var second = Json.parse("{\"driver\":\"topolvm.io\",\"big\":\"" + "x".repeat(65) + "\"}");
        assertSame(
                first.asObject().members().keySet().iterator().next(),
                second.asObject().members().keySet().iterator().next());
        assertSame(first.asObject().at("driver"), second.asObject().at("driver"));
        assertNotSame(first.asObject().at("big"), second.asObject().at("big"));
    }

    @Test
    void equalSmallTreesBecomeOne() {
        var toleration =
                "{\"key\":\"example.com/x\",\"seconds\":300,\"more\":[\"a\",{\"b\":true}]}";
        Json.parse(toleration);
        Json.parse(toleration); // seen twice, so nothing that comes once takes its place
        var first = Json.parse("[{\"uid\":\"1\"}," + toleration + "]").asList();
        var second = Json.parse("[{\"uid\":\"2\"}, " + toleration + " ]").asList();
        assertSame(first.at(1), second.at(1));
        assertNotSame(first.at(0), second.at(0));
    }

    @Test
    void aLargeTreeIsNotShared() {
        var text = "[" + "1,".repeat(Shared.MAX_WEIGHT) + "1]";
        assertNotSame(Json.parse(text), Json.parse(text));
        assertEquals(Json.parse(text), Json.parse(text));
    }

    @Test
    void theOrderOfMembersStays() {
        assertEquals("{\"a\":1,\"b\":1}", Json.write(Json.parse("{\"a\":1,\"b\":1}")));
        assertEquals("{\"b\":1,\"a\":1}", Json.write(Json.parse("{\"b\":1,\"a\":1}")));
    }

    @Test
    void differentOnesNeverBecomeOne() {
        for (int i = 0; i < 20_000; i++) {
            var text = "{\"name-" + i + "\":{\"x\":\"value-" + i + "\",\"y\":[" + i + "]}}";
            assertEquals(text, Json.write(Json.parse(text)));
        }
    }

    @Test
    void whatComesOnceDoesNotPushOutWhatComesOften() {
        var recent = new Recent<String>(1);
        recent.add(1, "often");
        assertEquals("often", recent.find(1, "often"::equals));
        for (int i = 0; i < 100; i++) {
            recent.add(i, "once " + i);
        }
        assertEquals("often", recent.find(1, "often"::equals));
        assertNull(recent.find(1, "once 98"::equals));
    }

    @Test
    void whatComesOftenTakesThePlace() {
        var recent = new Recent<String>(1);
        for (var word : new String[] {"before", "now"}) {
            recent.add(7, word);
            assertEquals(word, recent.find(7, word::equals));
        }
        recent.add(7, "once");
        assertEquals("now", recent.find(7, "now"::equals));
        assertNull(recent.find(7, "before"::equals));
    }
}
