package lvms.lvm2.plan;

import lvms.lvm2.RaidLayout;

/**
 * How a thick volume spreads over physical volumes: {@code areas + parity} parallel areas of equal
 * length, on different physical volumes under every LVM policy except {@code anywhere}.
 *
 * @param type LVM's segment type
 * @param areas parallel areas that hold data or copies of it
 * @param parity further areas that hold parity
 * @param stripes areas whose lengths add up to the size; sizes are multiples of it
 */
public record VolumeShape(String type, int areas, int parity, int stripes) {
    /** LVM refuses more (raid(4,5,6,10): 64 images; striped: 128). */
    private static final int MOST_AREAS = 128;

    private static final long SUPERBLOCKS_BYTES = 2 * 4096;

    /** Checks that the numbers can belong together. */
    public VolumeShape {
        if (stripes < 1 || areas < stripes || parity < 0 || areas + parity > MOST_AREAS) {
            throw new IllegalArgumentException(
                    type + ": " + stripes + " stripes, " + areas + " areas, " + parity + " parity");
        }
    }

    /** One area, in as many segments as it takes. */
    public static VolumeShape linear() {
        return new VolumeShape("linear", 1, 0, 1);
    }

    /** Stripes without redundancy; one stripe is linear. */
    public static VolumeShape striped(int stripes) {
        return stripes == 1 ? linear() : new VolumeShape("striped", stripes, 0, stripes);
    }

    /** {@code --type raid1 -m images-1}. */
    public static VolumeShape raid1(int images) {
        return new VolumeShape("raid1", images, 0, 1);
    }

    /** {@code --type raid4 -i stripes}: one parity image more. */
    public static VolumeShape raid4(int stripes) {
        return new VolumeShape("raid4", stripes, 1, stripes);
    }

    /** {@code --type raid5 -i stripes}: one parity image more. */
    public static VolumeShape raid5(int stripes) {
        return new VolumeShape("raid5", stripes, 1, stripes);
    }

    /** {@code --type raid6 -i stripes}: two parity images more. */
    public static VolumeShape raid6(int stripes) {
        return new VolumeShape("raid6", stripes, 2, stripes);
    }

    /** {@code --type raid10 -i stripes -m copies-1}: {@code stripes * copies} images. */
    public static VolumeShape raid10(int stripes, int copies) {
        return new VolumeShape("raid10", stripes * copies, 0, stripes);
    }

    /** The shape of a RAID volume that the library makes. */
    public static VolumeShape of(RaidLayout layout) {
        return switch (layout) {
            case RaidLayout.Raid1(var copies) -> raid1(copies);
            case RaidLayout.Raid4(var stripes) -> raid4(stripes);
            case RaidLayout.Raid5(var stripes) -> raid5(stripes);
            case RaidLayout.Raid6(var stripes) -> raid6(stripes);
            case RaidLayout.Raid10(var copies, var stripes) -> raid10(stripes, copies);
        };
    }

    /** Returns whether each image has a metadata volume beside it. */
    public boolean isRaid() {
        return type.startsWith("raid");
    }

    /** Returns the number of parallel areas, parity included. */
    public int allAreas() {
        return areas + parity;
    }

    /**
     * Returns the image length that LVM assumes for a volume of {@code extents} when it sizes the
     * image's metadata; for RAID 10 that is twice the real length (seen in 2.03.16 to 2.03.33).
     */
    private long imageExtents(long extents) {
        return switch (type) {
            case "raid1" -> extents;
            case "raid10" -> Math.ceilDiv(extents * (areas / stripes), stripes);
            default -> Math.ceilDiv(extents, stripes);
        };
    }

    /**
     * Returns the regions of a volume of this size, and the extents of each image's metadata
     * volume: two superblocks of 4 KiB and a bit for each region; 0 if the shape has none.
     */
    Search.Sizing metadata(long extents, long extentSizeBytes, long regionSizeBytes) {
        if (!isRaid()) {
            return new Search.Sizing(0, 0);
        }
        long region = regionSize(extents, extentSizeBytes, regionSizeBytes);
        long regions = imageExtents(extents) * extentSizeBytes / region;
        return new Search.Sizing(region, metadataExtents(regions, extentSizeBytes));
    }

    /** Returns the least that the metadata of each image takes. */
    long leastMetadataExtents(long extentSizeBytes) {
        return isRaid() ? Math.ceilDiv(SUPERBLOCKS_BYTES, extentSizeBytes) : 0;
    }

    private static long metadataExtents(long regions, long extentSizeBytes) {
        long bytes = SUPERBLOCKS_BYTES + Math.ceilDiv(regions, 8);
        return Math.ceilDiv(Math.ceilDiv(bytes, 512) * 512, extentSizeBytes);
    }

    /**
     * A region is no larger than the volume; and the bitmap has at most 2^21 of them, so LVM
     * doubles their size until they fit.
     */
    private static long regionSize(long extents, long extentSizeBytes, long regionSizeBytes) {
        long region = Math.min(regionSizeBytes, Long.highestOneBit(extents * extentSizeBytes));
        long least = (extents * extentSizeBytes / 512 / (1 << 21)) * 512;
        while (region < least) {
            region *= 2;
        }
        return region;
    }
}
