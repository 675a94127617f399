package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.LvName;
import lvms.lvm2.device.ThinPoolUsage;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A day of each pool, in steps of ten minutes, and no more than that. */
class PoolHistoryTests {
    private static final LvName POOL = new LvName("vg1", "pool");
    private Instant now = Instant.parse("2026-01-02T00:00:00Z");
    private final PoolHistory history = new PoolHistory(() -> now);

    private void note(LvName pool, long used) {
        history.note(pool, new ThinPoolUsage(1, 125, 1000, used, 1000, "rw", true, false));
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private List<String> times() {
        return history.json().objects().stream().map(s -> s.text("time").orElseThrow()).toList();
    }

    @Test
    void oneSampleIsKeptForTenMinutes() {
        for (int i = 0; i < 601; i++) {
            note(POOL, i);
            pass(Duration.ofSeconds(2));
        }
        assertEquals(
                List.of("2026-01-02T00:00:00Z", "2026-01-02T00:10:00Z", "2026-01-02T00:20:00Z"),
                times());
    }

    @Test
    void aSampleHasItsPoolAndBothFillsInPercent() {
        note(POOL, 504);
        var json = ObjectTree.builder();
        json.put("pool", "vg1/pool");
        json.put("time", "2026-01-02T00:00:00Z");
        json.put("dataPercent", 50.4);
        json.put("metadataPercent", 12.5);
        assertEquals(json.build().toString(), history.json().at(0).toString());
    }

    @Test
    void whatIsOlderThanADayIsForgotten() {
        for (int i = 0; i < 200; i++) {
            note(POOL, i);
            pass(Duration.ofMinutes(10));
        }
        assertEquals(144, times().size());
        assertEquals("2026-01-02T09:20:00Z", times().getFirst());
    }

    @Test
    void aPoolThatComesAgainBeginsAnew() {
        note(POOL, 1);
        history.forget(POOL);
        assertEquals(List.of(), times());
        note(POOL, 2);
        assertEquals(1, times().size());
    }

    /** Otherwise nothing would be kept until the clock is there again. */
    @Test
    void aClockThatIsSetBackBeginsAnew() {
        note(POOL, 1);
        pass(Duration.ofHours(-5));
        note(POOL, 2);
        assertEquals(List.of("2026-01-01T19:00:00Z"), times());
    }
}
