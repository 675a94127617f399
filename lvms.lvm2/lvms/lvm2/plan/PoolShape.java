package lvms.lvm2.plan;

import lvms.lvm2.NewThinPool;

import java.util.OptionalLong;

/**
 * What a request for a new thin pool says besides the size of its data. LVM chooses the rest by its
 * defaults ({@code allocation/thin_pool_*} in lvm.conf(5) unset), and so does this class.
 *
 * @param chunkSizeBytes {@code lvcreate -c}; empty lets LVM choose
 * @param metadataSizeBytes {@code lvcreate --poolmetadatasize}; empty lets LVM choose
 */
public record PoolShape(OptionalLong chunkSizeBytes, OptionalLong metadataSizeBytes) {
    private static final long SECTOR = 512;
    private static final long LEAST_CHUNK = (64L << 10) / SECTOR;
    private static final long MOST_CHUNK = (1L << 30) / SECTOR;

    /** LVM counts 64 bytes of metadata for each chunk. */
    private static final long CHUNKS_PER_SECTOR = SECTOR / 64;

    private static final long LEAST_METADATA = (2L << 20) / SECTOR;

    /** Above this LVM prefers larger chunks. */
    private static final long OPTIMAL_METADATA = (128L << 20) / SECTOR;

    /**
     * The largest metadata of a pool, 15.88 GiB in sectors: 255 bitmaps of 4 KiB, each for (16384 -
     * 64) blocks of 4 KiB. Source: {@code DM_THIN_MAX_METADATA_SIZE} in LVM's libdevmapper.h, and
     * {@code THIN_METADATA_MAX_SECTORS} in the kernel's dm-thin-metadata.h. LVM before 2.03.12, and
     * any with {@code thin_pool_crop_metadata}, stops at 15.81 GiB.
     */
    static final long MOST_METADATA = 255L * ((1 << 14) - 64) * 8;

    /** A pool for which LVM chooses everything. */
    public static final PoolShape DEFAULT =
            new PoolShape(OptionalLong.empty(), OptionalLong.empty());

    /** Returns the shape of a pool that the library is asked for. */
    public static PoolShape of(NewThinPool request) {
        return new PoolShape(request.chunkSizeBytes(), request.metadataSizeBytes());
    }

    /** Returns the chunk size that LVM chooses for this much data. */
    public long chunkSizeBytes(long dataBytes) {
        return chunk(dataBytes / SECTOR) * SECTOR;
    }

    /** Returns how many extents of metadata LVM makes for this many extents of data. */
    long metadataExtents(long dataExtents, long extentSizeBytes) {
        long extent = extentSizeBytes / SECTOR;
        long data = dataExtents * extent;
        long wanted =
                metadataSizeBytes.isPresent()
                        ? Math.ceilDiv(metadataSizeBytes.getAsLong(), SECTOR)
                        : data / (chunk(data) * CHUNKS_PER_SECTOR);
        return Math.ceilDiv(Math.clamp(wanted, LEAST_METADATA, MOST_METADATA), extent);
    }

    private long chunk(long data) {
        if (chunkSizeBytes.isPresent()) {
            return chunkSizeBytes.getAsLong() / SECTOR;
        }
        if (metadataSizeBytes.isPresent()) {
            long metadata = Math.ceilDiv(metadataSizeBytes.getAsLong(), SECTOR);
            long chunk = Math.ceilDiv(data / (metadata * CHUNKS_PER_SECTOR), LEAST_CHUNK);
            return Math.clamp(chunk * LEAST_CHUNK, LEAST_CHUNK, MOST_CHUNK);
        }
        long chunk = LEAST_CHUNK;
        while (data / (chunk * CHUNKS_PER_SECTOR) > OPTIMAL_METADATA && chunk < MOST_CHUNK) {
            chunk *= 2;
        }
        return chunk;
    }

    /** Returns whether data of this size holds at least one chunk. */
    boolean holdsAChunk(long dataExtents, long extentSizeBytes) {
        return dataExtents * extentSizeBytes >= chunkSizeBytes(dataExtents * extentSizeBytes);
    }

    /** Returns how much data the largest metadata can address with chunks of this size. */
    long mostExtents(long extentSizeBytes) {
        long chunk = chunkSizeBytes.orElse(MOST_CHUNK * SECTOR) / SECTOR;
        return MOST_METADATA * CHUNKS_PER_SECTOR * chunk / (extentSizeBytes / SECTOR);
    }
}
