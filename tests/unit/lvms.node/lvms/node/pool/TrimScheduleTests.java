package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvName;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Each pool has its own moment in the interval, whenever its agent starts. */
class TrimScheduleTests {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Trim DAILY = new Trim(OptionalInt.of(24), Optional.empty());
    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private static TrimSchedule of(String node) {
        return TrimSchedule.of(DAILY, node, new LvName("vg1", "pool"));
    }

    @Test
    void comesOnceInAnIntervalHoweverOftenTheAgentStarts() {
        var schedule = of("node1");
        int passes = 0;
        var since = NOON;
        for (var now = NOON; now.isBefore(NOON.plus(DAY.multipliedBy(7))); ) {
            now = now.plus(Duration.ofMinutes(10));
            passes += schedule.due(since, now) ? 1 : 0;
            since = now; // as after a pass, or a start
        }
        assertEquals(7, passes);
    }

    @Test
    void isTheSameInTheNextProcessAndAnotherOnTheNextNode() {
        assertEquals(of("node1").next(NOON), of("node1").next(NOON));
        assertFalse(of("node1").next(NOON).equals(of("node2").next(NOON)));
    }

    @Test
    void spreadsTheNodesOverTheInterval() {
        var hours =
                IntStream.range(0, 200)
                        .mapToLong(i -> of("node" + i).offset().toHours())
                        .distinct()
                        .count();
        assertTrue(hours >= 20, hours + " of 24 hours have a node");
    }

    @Test
    void theMomentItselfIsDueOnce() {
        var schedule = new TrimSchedule(DAY, Duration.ofHours(12));
        assertEquals(NOON, schedule.next(NOON.minusSeconds(1)));
        assertEquals(NOON.plus(DAY), schedule.next(NOON));
        assertTrue(schedule.due(NOON.minusSeconds(1), NOON));
        assertFalse(schedule.due(NOON, NOON.plusSeconds(1)));
    }
}
