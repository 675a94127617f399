package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.informer.Resumption.End;
import lvms.k8s.informer.Resumption.Next;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Whatever a server or a proxy does to watches, the requests that follow are few. */
class ResumptionTests {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final End HALF_LINE = new End(SOON, false, true);
    private static final End NOTHING = new End(SOON, false, false);
    private static final End OBJECTS = new End(SOON, true, false);

    private final Pauses pauses = Pauses.growing(Timing.DEFAULT);
    private final Resumption resumption = new Resumption(Timing.DEFAULT, pauses);
    private long nanos;
    private int requests;

    /** Lets a watch end, and what follows begin; a list is two requests, one of them refused. */
    private void pass(End end) {
        var next = resumption.after(end, nanos);
        var pause =
                switch (next) {
                    case Next.Watch(var asked) -> asked;
                    case Next.List() -> pauses.next(nanos);
                };
        nanos += pause.toNanos();
        requests += next instanceof Next.List ? 3 : 1;
    }

    private double minutes() {
        return nanos / 60e9;
    }

    @Test
    @Behaviour(104)
    void halfALineAThousandTimesTakesHours() {
        for (int i = 0; i < 1_000; i++) {
            pass(HALF_LINE);
        }
        assertTrue(minutes() > 450, "took " + minutes() + " min");
        assertTrue(requests < 10 + 4 * minutes(), requests + " in " + minutes() + " min");
    }

    @Test
    void oneEventInEachWatchIsAboutOneRequestASecond() {
        for (int i = 0; i < 1_000; i++) {
            pass(OBJECTS);
        }
        assertEquals(1_000, requests, "no list");
        assertTrue(minutes() > 999 * 0.8 / 60 && minutes() < 999 * 1.6 / 60, "" + minutes());
    }

    @Test
    @Behaviour(34)
    void aWatchThatEndsAtOnceLeadsToAListAfterAPauseThatGrowsToAMinute() {
        for (int i = 0; i < 20; i++) {
            assertTrue(resumption.after(NOTHING, nanos) instanceof Next.List);
            long before = nanos;
            pass(NOTHING);
            long doubled = i == 0 ? 0 : Math.min(30_000, 800L << (i - 1));
            long millis = (nanos - before) / 1_000_000;
            assertTrue(millis >= doubled && millis <= 2 * doubled, millis + " ms in round " + i);
        }
    }

    @Test
    void threeWatchesInVainLeadToAList() {
        assertEquals(new Next.Watch(Duration.ZERO), resumption.after(HALF_LINE, nanos));
        assertTrue(resumption.after(HALF_LINE, nanos) instanceof Next.Watch);
        assertEquals(new Next.List(), resumption.after(HALF_LINE, nanos));
        assertTrue(resumption.after(HALF_LINE, nanos) instanceof Next.Watch, "counted anew");
    }

    @Test
    void aWatchThatLastedIsFollowedAtOnce() {
        for (int i = 0; i < 10; i++) {
            assertEquals(
                    new Next.Watch(Duration.ZERO),
                    resumption.after(new End(Duration.ofSeconds(1), false, false), nanos));
        }
    }
}
