package lvms.k8s.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

/** What is read twice is kept once, and whatever shares a slot stays apart. */
class SharedTests {
    @Test
    void equalNamesAndValuesBecomeOne() {
        var first = Json.parse("{\"driver\":\"topolvm.io\"}").asObject();
        var second = Json.parse("{\"driver\":\"topolvm.io\"}").asObject();
        assertSame(
                first.members().keySet().iterator().next(),
                second.members().keySet().iterator().next());
        assertSame(first.at("driver"), second.at("driver"));
    }

    @Test
    void differentOnesNeverBecomeOne() {
        for (int i = 0; i < 10_000; i++) {
            var text = "value-" + i;
            assertEquals(text, Shared.value(text).asText());
            assertEquals(text, Shared.name(text));
        }
    }
}
