package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.Allocator.Result;
import lvms.lvm2.plan.Capacity.Limit;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Says by how much the volumes of a group may grow now, and how large a new thin pool could be. A
 * pool has a volume for data and one for metadata, and its group one spare volume ({@code pmspare})
 * as large as the largest metadata of its pools: LVM needs it to repair a pool. What thin volumes
 * have been promised does not count here.
 *
 * <p>The answers are exact, like those of {@link CapacityPlanner}, except for growth of metadata.
 *
 * <p>Pure; any thread may call.
 */
public final class GroupPlanner {
    private static final Search.Sizing PLAIN = new Search.Sizing(0, 0);

    private final VolumeGroupReport report;
    private final ExtentLayout layout;
    private final AllocationSettings settings;

    /** A planner for a group as it is now, and for LVM with these settings. */
    public GroupPlanner(VolumeGroupReport report, AllocationSettings settings) {
        this.report = report;
        this.layout = ExtentLayout.of(report);
        this.settings = settings;
    }

    /**
     * Returns how large the data of a new pool could be. Its metadata and what the spare volume
     * lacks come out of the same extents, and are not counted in the result. The data is linear.
     */
    public Capacity largestPool(PoolShape shape) {
        var pool = new NewPool(shape, layout, spare(), settings);
        return layout.changeable() ? capacity(1, pool.largest(), pool::allocate) : nothing();
    }

    /**
     * Returns by how much a volume may grow; empty if there is no volume of that name, or it is
     * neither linear nor striped.
     */
    public Optional<Capacity> volumeGrowth(String volume) {
        return growth(volume, policy(volume));
    }

    /**
     * Returns by how much the data of a pool may grow; empty if there is no such pool, or its data
     * is neither linear nor striped.
     */
    public Optional<Capacity> dataGrowth(String pool) {
        return growth(pool + "_tdata", policy(pool));
    }

    private Optional<Capacity> growth(String volume, AllocationPolicy policy) {
        return extents(volume)
                .map(present -> growth(present, _ -> PLAIN, size -> made(present, size, policy)));
    }

    private Capacity growth(
            VolumeExtents present,
            LongFunction<Search.Sizing> sizing,
            LongFunction<Result> allocator) {
        var search = new Search(present.areas(), sizing, allocator);
        return capacity(present.areas(), search.largest(Bounds.total(layout.usable())), allocator);
    }

    private Result made(VolumeExtents present, long extents, AllocationPolicy policy) {
        return Allocator.allocate(
                Request.more(extents, present.areas(), present.grown(), policy, settings),
                layout.usable());
    }

    /** Each volume may have a policy of its own. */
    private AllocationPolicy policy(String volume) {
        return report.logicalVolume(volume)
                .map(lv -> lv.attributes().allocation())
                .filter(policy -> policy != AllocationPolicy.INHERIT)
                .orElse(layout.allocation());
    }

    /**
     * Returns by how much the metadata of a pool may grow, together with the spare volume; empty if
     * there is no such pool, or its metadata is neither linear nor striped. LVM also grows it
     * further, but then the spare volume may stay too small for a repair.
     */
    public Optional<Capacity> metadataGrowth(String pool) {
        return extents(pool + "_tmeta")
                .map(
                        metadata ->
                                growth(
                                        metadata,
                                        size -> new Search.Sizing(size, 0),
                                        size -> grown(metadata, size, policy(pool))));
    }

    /** If the spare volume fails, that says nothing about other sizes. */
    private Result grown(VolumeExtents metadata, long size, AllocationPolicy policy) {
        boolean tooLarge =
                (metadata.extents() + size) * layout.extentSizeBytes()
                        > PoolShape.MOST_METADATA * 512;
        var made = made(metadata, size, policy);
        return made.complete() && !tooLarge
                ? spare().atLeast(metadata.extents() + size, made.layout())
                : made.failed();
    }

    private Spare spare() {
        return new Spare(VolumeExtents.spare(report, layout), layout, settings);
    }

    private Optional<VolumeExtents> extents(String volume) {
        return layout.changeable()
                ? VolumeExtents.of(report, layout, volume::equals)
                : Optional.empty();
    }

    private Capacity nothing() {
        var limit = layout.changeable() ? Limit.EXTENTS_USED_UP : Limit.GROUP_CANNOT_CHANGE;
        return new Capacity(0, 0, limit, List.of(), Bounds.total(layout.usable()));
    }

    private Capacity capacity(int stripes, long extents, LongFunction<Result> allocator) {
        if (extents == 0) {
            return nothing();
        }
        var made = allocator.apply(extents);
        long left = made.leftExtents();
        return new Capacity(
                extents,
                extents * layout.extentSizeBytes(),
                left < stripes ? Limit.EXTENTS_USED_UP : Limit.FRAGMENTED,
                made.full(),
                left);
    }
}
