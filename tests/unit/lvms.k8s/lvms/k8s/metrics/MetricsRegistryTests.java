package lvms.k8s.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The text is what Prometheus reads. */
class MetricsRegistryTests {
    private final MetricsRegistry registry = new MetricsRegistry();

    @Test
    void writesAllKinds() {
        registry.counter("b_total", "B.", "x", "y").with("1", "q\"\\\n").increment();
        registry.gauge("a", "A\nline.").with().set(-1.5);
        var histogram = registry.histogram("c_seconds", "C.", new double[] {0.1, 1}, "z").with("v");
        histogram.observe(0.1);
        histogram.observe(0.5);
        histogram.observe(7);
        assertEquals(
                """
                # HELP a A\\nline.
                # TYPE a gauge
                a -1.5
                # HELP b_total B.
                # TYPE b_total counter
                b_total{x="1",y="q\\"\\\\\\n"} 1
                # HELP c_seconds C.
                # TYPE c_seconds histogram
                c_seconds_bucket{z="v",le="0.1"} 1
                c_seconds_bucket{z="v",le="1"} 2
                c_seconds_bucket{z="v",le="+Inf"} 3
                c_seconds_sum{z="v"} 7.6
                c_seconds_count{z="v"} 3
                """,
                registry.text());
    }

    @Test
    void givesTheSameSeriesTwice() {
        var first = registry.counter("a", "A.", "x").with("1");
        assertSame(first, registry.counter("a", "A.", "x").with("1"));
        assertThrows(IllegalArgumentException.class, () -> registry.gauge("a", "A.", "x"));
        assertThrows(IllegalArgumentException.class, () -> registry.counter("a", "A.", "y"));
        assertThrows(IllegalArgumentException.class, () -> registry.counter("a", "A.", "x").with());
        assertThrows(IllegalArgumentException.class, () -> first.add(-1));
    }

    @Test
    void aSummaryIsReadWhereItIsCounted() {
        registry.summary("s_seconds", "S.", "x").with("1").from(() -> 3, () -> 0.5);
        assertEquals(
                """
                # HELP s_seconds S.
                # TYPE s_seconds summary
                s_seconds_sum{x="1"} 0.5
                s_seconds_count{x="1"} 3
                """,
                registry.text());
    }

    @Test
    void seriesCanComeAndGoBeforeEachReading() {
        var family = registry.gauge("g", "G.", "x");
        var now = new ArrayDeque<>(List.of("old", "new"));
        registry.beforeReading(
                () -> {
                    family.remove("old");
                    family.with(now.pop()).set(1);
                });
        assertTrue(registry.text().endsWith("g{x=\"old\"} 1\n"));
        assertTrue(registry.text().endsWith("gauge\ng{x=\"new\"} 1\n"));
    }

    @Test
    void anUpdateThatHasEndedIsNotMadeAnyMore() {
        var made = new AtomicInteger();
        registry.beforeReading(made::incrementAndGet);
        var other = registry.beforeReading(() -> made.addAndGet(10));
        registry.text();
        assertEquals(11, made.get());
        other.close();
        other.close();
        registry.text();
        assertEquals(12, made.get());
    }

    @Test
    void aRegistryThatNobodyReadsKeepsNothing() {
        var unread = MetricsRegistry.unread();
        var family = unread.counter("a_total", "A.", "x");
        assertSame(family.with("1"), family.with("2"));
        unread.beforeReading(() -> fail("nobody reads it")).close();
        assertEquals("", unread.text());
        assertEquals("", ProcessMetrics.registry(false).text());
    }

    @Test
    void readsAGaugeWhereItComesFrom() {
        var gauge = registry.gauge("g", "G.").with();
        gauge.add(2);
        gauge.add(-0.5);
        assertEquals(1.5, gauge.value());
        gauge.from(() -> 42);
        assertEquals(42, gauge.value());
    }
}
