package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.plan.ExtentRun;
import lvms.lvm2.plan.PvExtents;
import lvms.lvm2.report.GrowthRanges.Area;
import lvms.lvm2.report.GrowthRanges.Range;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Extents for a growth are chosen so that stripes and images never share a device. */
class GrowthRangesTests {
    private static PvExtents pv(String name, ExtentRun... free) {
        return new PvExtents(name, "/dev/" + name, true, Set.of(), List.of(free));
    }

    private static Area area(String pv, long start, long extents) {
        var segment = new PhysicalSegment(pv, start, extents, Optional.of("lv"), "linear", 0, 0);
        return new Area(segment, segment);
    }

    private static GrowthRanges ranges(List<Area> areas, PvExtents... pvs) {
        var usable = new LinkedHashMap<String, PvExtents>();
        List.of(pvs).forEach(pv -> usable.put(pv.uuid(), pv));
        var taken = new java.util.HashSet<String>();
        areas.forEach(area -> taken.add(area.last().pvUuid()));
        return new GrowthRanges(areas, taken, usable);
    }

    private static Optional<List<String>> words(GrowthRanges ranges, long each) {
        return ranges.choose(each).map(list -> list.stream().map(Range::word).toList());
    }

    @Test
    void aLinearVolumeGoesOnBehindItsEndAndThenAnywhere() {
        var ranges =
                ranges(
                        List.of(area("b", 0, 10)),
                        pv("a", new ExtentRun(5, 100)),
                        pv("b", new ExtentRun(10, 4), new ExtentRun(20, 50)));
        assertEquals(Optional.of(List.of("/dev/b:10-12")), words(ranges, 3));
        assertEquals(
                Optional.of(List.of("/dev/b:10-13", "/dev/b:20-69", "/dev/a:5-10")),
                words(ranges, 60));
        assertEquals(Optional.empty(), words(ranges, 155));
    }

    @Test
    void parallelAreasStayOrAllGoOnToDevicesOfTheirOwn() {
        var areas = List.of(area("a", 0, 10), area("b", 0, 10));
        var room = pv("a", new ExtentRun(30, 8));
        assertEquals(
                Optional.of(List.of("/dev/a:30-34", "/dev/b:10-14")),
                words(ranges(areas, room, pv("b", new ExtentRun(10, 5))), 5));
        assertEquals(
                Optional.empty(),
                words(ranges(areas, room, pv("b", new ExtentRun(10, 4))), 5),
                "the room of a cannot be used for both");
        assertEquals(
                Optional.of(List.of("/dev/c:0-4", "/dev/d:7-11")),
                words(
                        ranges(
                                areas,
                                room,
                                pv("c", new ExtentRun(0, 9)),
                                pv("d", new ExtentRun(7, 5))),
                        5));
    }

    @Test
    void tooManyPiecesDoNotFitIntoACommand() {
        var pieces = new ExtentRun[41];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new ExtentRun(20 + 2 * i, 1);
        }
        var ranges = ranges(List.of(area("a", 0, 10)), pv("a", pieces));
        assertEquals(40, words(ranges, 40).orElseThrow().size());
        assertEquals(Optional.empty(), words(ranges, 41));
    }
}
