package lvms.operator.takeover.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What LVM says of pools becomes what a person has to know before a take-over. */
class PoolLevelTests {
    /** As lvs 2.03.16 prints it; a pool that is not active has no percentages. */
    private static final String OUTPUT =
            "  vg1,pool,81.25,10.40\n  vg2,pool-2,3.02,1.00\n  vg3,p,,\n";

    @Test
    void poolsThatAreNotActiveAreLeftOut() {
        var levels = PoolLevel.read(OUTPUT).toList();
        assertEquals(List.of("vg1", "vg2"), levels.stream().map(PoolLevel::group).toList());
        assertEquals(81.25, levels.getFirst().data());
    }

    @Test
    void onlyAPoolThatHasReachedTheThresholdIsGated() {
        var texts = PoolLevel.read(OUTPUT).map(level -> level.text("n1", 80)).toList();
        assertTrue(texts.get(0).contains("gets no new volume from us"), texts.get(0));
        assertTrue(texts.get(1).contains("gets new volumes up to thresholdPercent (80)"));
    }
}
