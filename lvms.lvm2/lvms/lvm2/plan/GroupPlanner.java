package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.Allocator.Result;
import lvms.lvm2.plan.Capacity.Limit;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Answers by how much the volumes that a group has may grow now, and how large a thin pool could be
 * made. A pool has a volume for data and one for metadata, and its group one spare volume ({@code
 * pmspare}) as large as the largest metadata of its pools: LVM needs it to repair one. What thin
 * volumes are promised is another matter.
 *
 * <p>Growth of linear and striped volumes is exact, as {@link CapacityPlanner} is. New pools are
 * not: LVM 2.03.16 sometimes fails with an internal error ("PV segments corrupted") where little
 * room is left, so {@link #largestPool} says what its allocator finds, and the command may still
 * fail.
 *
 * <p>Pure; any thread may call.
 */
public final class GroupPlanner {
    /** Metadata cannot be larger (15.81 GiB, thin-provisioning's own limit). */
    private static final long MOST_METADATA_BYTES = 33_161_216L * 512;

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
     *
     * @param metadataBytes size of the metadata; LVM rounds it up to whole extents
     */
    public Capacity largestPool(long metadataBytes) {
        long metadata = extents(metadataBytes);
        var afterSpare = spare(metadata, layout.usable());
        if (!afterSpare.complete()) {
            return nothing();
        }
        var usable = afterSpare.layout();
        return capacity(1, true, size -> Allocator.allocate(newPool(size, metadata), usable));
    }

    /**
     * Returns by how much a volume may grow; empty if there is none of that name, or it is neither
     * linear nor striped.
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
                .map(
                        present ->
                                capacity(
                                        present.areas(),
                                        true,
                                        size ->
                                                Allocator.allocate(
                                                        more(present, size, policy),
                                                        layout.usable())));
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
     * there is no such pool, or its metadata is neither linear nor striped.
     */
    public Optional<Capacity> metadataGrowth(String pool) {
        return extents(pool + "_tmeta")
                .map(
                        metadata ->
                                capacity(
                                        metadata.areas(),
                                        false,
                                        size -> grown(metadata, size, policy(pool))));
    }

    private Result grown(VolumeExtents metadata, long size, AllocationPolicy policy) {
        boolean tooLarge =
                (metadata.extents() + size) * layout.extentSizeBytes() > MOST_METADATA_BYTES;
        var made = Allocator.allocate(more(metadata, size, policy), layout.usable());
        if (!made.complete() || tooLarge) {
            return made.failed();
        }
        return spare(metadata.extents() + size, made.layout());
    }

    /** Makes or enlarges the spare volume. */
    private Result spare(long extents, List<PvExtents> usable) {
        var present = VolumeExtents.spare(report, layout);
        long missing = extents - present.map(VolumeExtents::extents).orElse(0L);
        if (missing <= 0) {
            return Result.unchanged(usable);
        }
        return Allocator.allocate(
                present.map(spare -> more(spare, missing, layout.allocation()))
                        .orElseGet(
                                () ->
                                        request(
                                                missing,
                                                1,
                                                Request.Grown.NOTHING,
                                                layout.allocation())),
                usable);
    }

    private Optional<VolumeExtents> extents(String volume) {
        return layout.changeable()
                ? VolumeExtents.of(report, layout, volume::equals)
                : Optional.empty();
    }

    private long extents(long bytes) {
        return Math.ceilDiv(bytes, layout.extentSizeBytes());
    }

    private Request newPool(long extents, long metadataExtents) {
        return new Request(
                extents,
                1,
                0,
                1,
                metadataExtents,
                false,
                1,
                Request.Grown.NOTHING,
                layout.allocation(),
                settings);
    }

    private Request more(VolumeExtents volume, long extents, AllocationPolicy policy) {
        return request(extents, volume.areas(), volume.grown(), policy);
    }

    private Request request(
            long extents, int stripes, Request.Grown grown, AllocationPolicy policy) {
        return new Request(extents, stripes, 0, stripes, 0, false, 0, grown, policy, settings);
    }

    private Capacity nothing() {
        var limit = layout.changeable() ? Limit.EXTENTS_USED_UP : Limit.GROUP_CANNOT_CHANGE;
        return new Capacity(0, 0, limit, List.of(), Bounds.total(layout.usable()));
    }

    private Capacity capacity(int stripes, boolean steady, LongFunction<Result> allocator) {
        if (!layout.changeable()) {
            return nothing();
        }
        long bound = Bounds.total(layout.usable());
        long extents = new Search(stripes, steady, allocator).largest(bound);
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
