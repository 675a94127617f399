package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.plan.ExtentRun;
import lvms.lvm2.plan.PvExtents;
import lvms.lvm2.report.RaidGrowth.Step;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Each image grows on its own device, or all go on to devices that none of them is on. */
class RaidGrowthTests {
    private static PvExtents pv(String name, ExtentRun... free) {
        return new PvExtents(name, "/dev/" + name, true, Set.of(), List.of(free));
    }

    private static PhysicalSegment segment(String pv, long start, long extents, long at) {
        return new PhysicalSegment(pv, start, extents, Optional.of("image"), "linear", at, 0);
    }

    /** Two images of ten extents, on a and b. */
    private static RaidGrowth growth(PvExtents... pvs) {
        return new RaidGrowth(
                List.of(List.of(segment("a", 1, 10, 0)), List.of(segment("b", 1, 10, 0))),
                Set.of("a", "b"),
                Arrays.stream(pvs).collect(Collectors.toMap(PvExtents::uuid, Function.identity())));
    }

    private static Map.Entry<Long, List<String>> in(Step step) {
        return Map.entry(step.moreExtents(), step.onto());
    }

    private static List<Map.Entry<Long, List<String>>> steps(RaidGrowth growth, long more) {
        return growth.steps(more).stream().map(RaidGrowthTests::in).toList();
    }

    @Test
    void imagesStayWhereTheyAreWhileThereIsRoom() {
        var growth = growth(pv("a", new ExtentRun(20, 8)), pv("b", new ExtentRun(11, 9)));
        assertEquals(List.of(Map.entry(8L, List.of())), steps(growth, 8));
        assertEquals(List.of(), steps(growth, 9), "a is full, and the room of b is no room");
    }

    @Test
    void thenAllGoOnToDevicesOfTheirOwn() {
        var growth =
                growth(
                        pv("a", new ExtentRun(11, 4)),
                        pv("b", new ExtentRun(11, 40)),
                        pv("c", new ExtentRun(0, 7)),
                        pv("d", new ExtentRun(0, 5), new ExtentRun(9, 6)),
                        pv("e", new ExtentRun(0, 5), new ExtentRun(9, 5)));
        assertEquals(
                List.of(Map.entry(4L, List.of()), Map.entry(6L, List.of("/dev/c", "/dev/d"))),
                steps(growth, 10));
        assertEquals(List.of(), steps(growth, 11), "d has no run of seven");
    }

    @Test
    void whatLiesBehindTheLastSegmentIsRoomToo() {
        var moved =
                List.of(
                        List.of(segment("a", 1, 10, 0), segment("c", 0, 3, 10)),
                        List.of(segment("b", 1, 10, 0), segment("d", 0, 3, 10)));
        var usable =
                Map.of(
                        "c", pv("c", new ExtentRun(3, 5), new ExtentRun(20, 50)),
                        "d", pv("d", new ExtentRun(3, 6)));
        var growth = new RaidGrowth(moved, Set.of("a", "b", "c", "d"), usable);
        assertEquals(13, growth.imageExtents());
        assertEquals(List.of(Map.entry(5L, List.of())), steps(growth, 5));
        assertEquals(List.of(), steps(growth, 6));
    }

    @Test
    void theCommandSaysWhere() {
        assertEquals(
                List.of("lvextend", "-y", "-L", "8b", "--alloc", "cling", "vg/lv"),
                new Step(1, List.of()).words("8b", "vg/lv"));
        assertEquals(
                List.of("lvextend", "-y", "-L", "8b", "vg/lv", "/dev/c", "/dev/d"),
                new Step(1, List.of("/dev/c", "/dev/d")).words("8b", "vg/lv"));
    }
}
