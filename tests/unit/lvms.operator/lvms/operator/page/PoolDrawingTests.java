package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A pool's bars are as long as it is full, and its lines are as long ago as they were noted. */
class PoolDrawingTests {
    private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");
    private static final long GIB = 1L << 30;

    private static String drawn(OptionalDouble data, List<PoolFill.Sample> history) {
        var html = new Html();
        var pool =
                new PoolFill(
                        "n1",
                        "vg1",
                        "pool",
                        GIB,
                        data,
                        OptionalDouble.of(80),
                        3,
                        2 * GIB,
                        Optional.of("needs check"),
                        history);
        new PoolDrawing(pool, NOW).write(html);
        return html.toString();
    }

    private static PoolFill.Sample sample(Duration before, double data, double metadata) {
        return new PoolFill.Sample(NOW.minus(before), data, metadata);
    }

    @Test
    void barsSayHowFullItIsInLengthInWordsAndByColour() {
        var html = drawn(OptionalDouble.of(96.5), List.of());
        assertTrue(html.contains("<rect width=\"96.5\" height=\"1\" class=\"bad\">"), html);
        assertTrue(html.contains("<rect width=\"80\" height=\"1\" class=\"warn\">"), html);
        assertTrue(html.contains("<title>n1: vg1/pool: data 96.5 % full</title>"), html);
        assertTrue(html.contains("<strong>n1: vg1/pool</strong> "), html);
        assertTrue(html.contains("1GiB, 3 volumes with 2GiB promised, needs check"), html);
        assertTrue(html.contains("No history yet."), html);
    }

    @Test
    void aPoolThatIsNotActiveHasNoBarOfIt() {
        var html = drawn(OptionalDouble.empty(), List.of());
        assertTrue(html.contains("data not known: the pool is not active"), html);
        assertFalse(html.contains("vg1/pool: data"), html);
    }

    @Test
    void theDayBeforeIsTheWidthAndOlderSamplesAreOutside() {
        var html =
                drawn(
                        OptionalDouble.of(30),
                        List.of(
                                sample(Duration.ofHours(30), 99, 99),
                                sample(Duration.ofHours(24), 10, 1),
                                sample(Duration.ofHours(12), 20.5, 2),
                                sample(Duration.ZERO, 30, 3)));
        assertTrue(html.contains("points=\"0,90 720,79.5 1440,70\""), html);
        assertTrue(html.contains("points=\"0,99 720,98 1440,97\""), html);
        assertTrue(html.contains("data from 10 % to 30 % (solid)"), html);
    }
}
