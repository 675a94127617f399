package lvms.lvm2.plan;

import java.util.Comparator;
import java.util.List;

/** How large a volume could be, judged only by the extents and not by how LVM uses them. */
final class Bounds {
    private Bounds() {}

    /** Returns a number of extents that no volume of this shape can exceed. */
    static long extents(ExtentLayout layout, VolumeShape shape) {
        var usable = layout.usable();
        long image =
                switch (layout.allocation()) {
                    case CONTIGUOUS -> longestRuns(usable, shape.allAreas());
                    case ANYWHERE -> total(usable) / shape.allAreas();
                    case CLING, NORMAL, INHERIT, UNKNOWN -> apart(usable, shape.allAreas());
                };
        long metadata = shape.leastMetadataExtents(layout.extentSizeBytes());
        return Math.max(0, image - metadata) * shape.stripes();
    }

    static long total(List<PvExtents> usable) {
        return usable.stream().mapToLong(PvExtents::freeExtents).sum();
    }

    /** The {@code areas}-th longest run, counting only the longest on each physical volume. */
    private static long longestRuns(List<PvExtents> usable, int areas) {
        return usable.stream()
                .map(PvExtents::longestRun)
                .sorted(Comparator.reverseOrder())
                .skip(areas - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * How long {@code areas} areas of one length can be when no two share a physical volume: the
     * largest x with sum(min(free, x)) at least areas * x, since at most x of each physical volume
     * can be used.
     */
    private static long apart(List<PvExtents> usable, int areas) {
        long low = 0;
        long high = total(usable) / areas;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            long reach = usable.stream().mapToLong(pv -> Math.min(pv.freeExtents(), middle)).sum();
            if (reach >= middle * areas) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
