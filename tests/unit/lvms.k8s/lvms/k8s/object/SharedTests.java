package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

/** What is read twice is kept once, and whatever shares a slot stays apart. */
class SharedTests {
    @Test
    void equalNamesAndValuesBecomeOne() {
        var first = Json.parse("{\"driver\":\"topolvm.io\"}").getAsJsonObject();
        var second = Json.parse("{\"driver\":\"topolvm.io\"}").getAsJsonObject();
        assertSame(first.keySet().iterator().next(), second.keySet().iterator().next());
        assertSame(first.get("driver"), second.get("driver"));
    }

    @Test
    void differentOnesNeverBecomeOne() {
        for (int i = 0; i < 10_000; i++) {
            var text = "value-" + i;
            assertEquals(text, Shared.value(text).getAsString());
            assertEquals(text, Shared.name(text));
        }
    }
}
