package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.plan.Capacity.Limit;

import java.util.List;

/**
 * Says how large a volume could be made now. Pure: it runs no command, and any thread may call.
 *
 * <p>The answer is exact for {@code lvcreate} of LVM 2.03 with these settings: {@code lvcreate}
 * makes a volume of that size, and none larger. LVM takes runs greedily and never goes back, so a
 * size can fail although enough extents are free. The planner tries sizes on a model of the
 * allocator, downwards from what the extents alone would allow.
 */
public final class CapacityPlanner {
    private final AllocationSettings settings;

    /** A planner for LVM with these settings. */
    public CapacityPlanner(AllocationSettings settings) {
        this.settings = settings;
    }

    /** Returns the largest volume of this shape that LVM would make. */
    public Capacity largest(ExtentLayout layout, VolumeShape shape) {
        if (!layout.changeable()) {
            return new Capacity(0, 0, Limit.GROUP_CANNOT_CHANGE, List.of(), 0);
        }
        if (!isAllowed(layout, shape)) {
            return capacity(layout, shape, 0, 0);
        }
        long bound = Bounds.extents(layout, shape);
        var search =
                new Search(
                        shape.stripes(),
                        size ->
                                shape.metadata(
                                        size,
                                        layout.extentSizeBytes(),
                                        settings.raidRegionSizeBytes()),
                        size -> allocate(layout, shape, size));
        return capacity(layout, shape, search.largest(bound), bound);
    }

    /** Returns whether LVM would make a volume of this shape and size, rounded up as LVM does. */
    public boolean fits(ExtentLayout layout, VolumeShape shape, long sizeBytes) {
        long extents = Math.ceilDiv(sizeBytes, layout.extentSizeBytes());
        long rounded = Math.ceilDiv(extents, shape.stripes()) * shape.stripes();
        return layout.changeable()
                && isAllowed(layout, shape)
                && allocate(layout, shape, rounded).complete();
    }

    /** LVM counts physical volumes before it looks for runs, under every policy. */
    private static boolean isAllowed(ExtentLayout layout, VolumeShape shape) {
        return shape.stripes() <= layout.physicalVolumes().size();
    }

    private Allocator.Result allocate(ExtentLayout layout, VolumeShape shape, long extents) {
        return Allocator.allocate(Request.of(shape, extents, layout, settings), layout.usable());
    }

    private Capacity capacity(ExtentLayout layout, VolumeShape shape, long extents, long bound) {
        var usable = layout.usable();
        var full =
                usable.stream().filter(pv -> pv.free().isEmpty()).map(PvExtents::device).toList();
        long left = Bounds.total(usable);
        if (extents > 0) {
            var made = allocate(layout, shape, extents);
            full = made.full();
            left = made.leftExtents();
        }
        return new Capacity(
                extents,
                extents * layout.extentSizeBytes(),
                limit(layout, shape, extents == bound, left),
                full,
                left);
    }

    private static Limit limit(
            ExtentLayout layout, VolumeShape shape, boolean isBound, long leftExtents) {
        long withFree = layout.usable().stream().filter(pv -> !pv.free().isEmpty()).count();
        boolean apart = layout.allocation() != AllocationPolicy.ANYWHERE;
        if (apart && withFree < shape.allAreas() || !isAllowed(layout, shape)) {
            return Limit.TOO_FEW_DEVICES;
        }
        if (leftExtents < shape.allAreas()) {
            return Limit.EXTENTS_USED_UP;
        }
        if (layout.allocation() == AllocationPolicy.CONTIGUOUS) {
            return Limit.FRAGMENTED;
        }
        return isBound ? Limit.DEVICES_FULL : Limit.CHOICE_OF_LVM;
    }
}
