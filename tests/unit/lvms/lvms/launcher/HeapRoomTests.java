package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** A heap that fills is told once, and once more when it has room again. */
class HeapRoomTests {
    private static final long MIB = 1 << 20;

    private final HeapRoom room = new HeapRoom();

    private Optional<String> look(long livedMib) {
        return room.look(livedMib * MIB, 200 * MIB);
    }

    @Test
    void whatFillsIsToldOnceWithItsFigures() {
        assertEquals(Optional.empty(), look(20));
        assertEquals(Optional.empty(), look(170));
        assertEquals(
                Optional.of(
                        "heap nearly full livedMiB=171 mostMiB=200"
                                + " cure=\"more memory for its container, or fewer volumes\""),
                look(171));
        assertEquals(Optional.empty(), look(199));
    }

    @Test
    void aLittleRoomIsNoNews() {
        assertTrue(look(180).isPresent());
        assertEquals(Optional.empty(), look(160));
        assertEquals(Optional.empty(), look(180));
        assertEquals(Optional.of("heap has room again livedMiB=150 mostMiB=200"), look(150));
        assertTrue(look(180).isPresent());
    }

    @Test
    void whatOutlivesCollectionsIsFoundInThisProcess() {
        System.gc();
        var old = HeapRoom.old();
        assertTrue(old.getCollectionUsage().getUsed() > 0, old.getName());
        assertTrue(old.getUsage().getMax() > old.getCollectionUsage().getUsed());
    }
}
