package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;

import java.util.List;

/**
 * What LVM's allocator is asked to find.
 *
 * @param extents extents of the volume to find, of all its stripes; those of RAID metadata count
 *     once for each stripe
 * @param areas parallel areas that hold data
 * @param parity further parallel areas
 * @param stripes areas whose lengths add up to {@code extents}
 * @param metadataExtents length of each image's RAID metadata, or of a pool's metadata
 * @param raidMetadata whether the metadata comes out of the first run of each image
 * @param pools pools' metadata areas to find beside the data: 0 or 1
 * @param grown what the volume already has; empty for a new one
 * @param policy how extents are chosen
 * @param settings LVM's settings for allocation
 */
record Request(
        long extents,
        int areas,
        int parity,
        int stripes,
        long metadataExtents,
        boolean raidMetadata,
        int pools,
        Grown grown,
        AllocationPolicy policy,
        AllocationSettings settings) {

    /** An area of an existing volume. */
    record Area(PvExtents pv, long endExtent) {}

    /**
     * The segments of an existing volume that LVM looks at when it grows.
     *
     * @param first areas of its first segment, to whose physical volumes the new ones cling
     * @param last areas of its last segment, which the new ones continue
     */
    record Grown(List<Area> first, List<Area> last) {
        static final Grown NOTHING = new Grown(List.of(), List.of());

        boolean isNew() {
            return last.isEmpty();
        }
    }

    /** A new volume of this shape and size. */
    static Request of(
            VolumeShape shape, long extents, ExtentLayout layout, AllocationSettings settings) {
        long metadata =
                shape.metadata(extents, layout.extentSizeBytes(), settings.raidRegionSizeBytes())
                        .metadataExtents();
        return new Request(
                extents + metadata * shape.stripes(),
                shape.areas(),
                shape.parity(),
                shape.stripes(),
                metadata,
                shape.isRaid(),
                0,
                Grown.NOTHING,
                layout.allocation(),
                settings);
    }

    /** The linear data of a new thin pool, and its metadata. */
    static Request pool(
            long extents,
            long metadataExtents,
            AllocationPolicy policy,
            AllocationSettings settings) {
        return new Request(
                extents, 1, 0, 1, metadataExtents, false, 1, Grown.NOTHING, policy, settings);
    }

    /** More extents for a linear or striped volume. */
    static Request more(
            long extents,
            int stripes,
            Grown grown,
            AllocationPolicy policy,
            AllocationSettings settings) {
        return new Request(extents, stripes, 0, stripes, 0, false, 0, grown, policy, settings);
    }

    int images() {
        return areas + parity;
    }
}
