package lvms.node.erasure;

import static lvms.node.disk.TestLvm.GIB;
import static lvms.node.disk.TestLvm.lv;
import static lvms.node.disk.TestLvm.tagged;
import static lvms.node.disk.TestLvm.thickSnapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.VolumeCounts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** Names and tags in LVM say which volumes only our agents know what to do with. */
class MarksTests {
    @Safety(50)
    @Test
    void whatAnotherProgramWouldTreatOtherwiseIsCounted() {
        var plain = lv("vg1", "plain", "-wi-a-----", GIB);
        var named = lv("vg1", "lvms-erase-by-hand", "-wi-a-----", GIB);
        var removed = lv("vg1", "lvms-erase-a", "-wi-a-----", GIB);
        var growth = lv("vg1", "lvms-grow-a", "-wi-a-----", GIB);
        var volumes =
                List.of(
                        plain,
                        named,
                        tagged(removed, Set.of("lvms.erase=zero")),
                        tagged(growth, Set.of("lvms.growth")),
                        thickSnapshot("lvms-still-a", Set.of("lvms.held-still")),
                        thickSnapshot("snapshot-1", Set.of()),
                        thickSnapshot("snapshot-2", Set.of()));
        assertEquals(new VolumeCounts(1, 1, 1, 2), Marks.count(volumes));
        assertEquals(new VolumeCounts(0, 0, 0, 0), Marks.count(List.of(plain)));
    }
}
