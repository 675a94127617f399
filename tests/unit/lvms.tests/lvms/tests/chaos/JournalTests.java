package lvms.tests.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.chaos.Journal.Chapter;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What a volume holds is compared with what was synced. */
class JournalTests {
    private static final List<Chapter> ONE = List.of(new Chapter("v1", 2));

    @Test
    void moreThanWasSyncedIsGood() {
        assertEquals(List.of(), Journal.compare(ONE, List.of("v1 1 ok", "v1 2 ok", "v1 3 ok")));
    }

    @Test
    void aLostLineIsFound() {
        assertEquals(
                List.of("1 of 2 synced lines of v1 are there"),
                Journal.compare(ONE, List.of("v1 1 ok")));
    }

    @Test
    void aGapIsFound() {
        var problems = Journal.compare(ONE, List.of("v1 1 ok", "v1 3 ok", "v1 4 ok"));
        assertTrue(problems.getFirst().contains("1 of 2"), problems.toString());
        assertTrue(problems.getLast().contains("2 lines are not its own"), problems.toString());
    }

    @Test
    void aLineOfAnotherTenantIsFound() {
        var problems = Journal.compare(ONE, List.of("v1 1 ok", "v1 2 ok", "v7 1 ok"));
        assertEquals(
                List.of("1 lines are not its own or out of order, the first is \"v7 1 ok\""),
                problems);
    }

    @Test
    void aHalfLineDoesNotCount() {
        for (var half : List.of("v", "v1", "v1 ", "v1 3", "v1 3 o")) {
            assertEquals(
                    List.of(),
                    Journal.compare(ONE, List.of("v1 1 ok", "v1 2 ok", half, "v1 3 ok")),
                    half);
        }
    }

    @Test
    void aCopyBeginsWithTheLinesOfItsSource() {
        var chapters = List.of(new Chapter("v1", 2), new Chapter("v2", 1));
        var lines = List.of("v1 1 ok", "v1 2 ok", "v1 3 ok", "v2 1 ok");
        assertEquals(List.of(), Journal.compare(chapters, lines));
        assertEquals(1, Journal.own("v2", lines));
        assertEquals(
                List.of("1 of 2 synced lines of v1 are there"),
                Journal.compare(chapters, List.of("v1 1 ok", "v2 1 ok")));
    }
}
