package lvms.lvm2.plan;

import lvms.lvm2.plan.Allocator.Result;

/**
 * A thin pool to be made: a linear volume for data, one for metadata, and the spare, which LVM
 * makes first.
 *
 * @param shape what is asked for
 * @param layout the group
 * @param spare the group's spare volume
 * @param settings LVM's settings for allocation
 */
record NewPool(PoolShape shape, ExtentLayout layout, Spare spare, AllocationSettings settings) {
    /** Returns how many extents of data LVM would make at most; 0 if it makes no pool. */
    long largest() {
        return new Search(1, this::metadata, this::allocate).largest(bound());
    }

    private long bound() {
        long free = Bounds.total(layout.usable());
        return Math.min(free, shape.mostExtents(layout.extentSizeBytes()));
    }

    /** Chunks count too: metadata grows with the data only while they stay the same. */
    private Search.Sizing metadata(long extents) {
        long extent = layout.extentSizeBytes();
        return new Search.Sizing(
                shape.chunkSizeBytes(extents * extent), shape.metadataExtents(extents, extent));
    }

    /** Works out a pool with this many extents of data. */
    Result allocate(long extents) {
        long extent = layout.extentSizeBytes();
        long metadata = shape.metadataExtents(extents, extent);
        var made = spare.atLeast(metadata, layout.usable());
        if (!made.complete() || !shape.holdsAChunk(extents, extent)) {
            return made.impossible();
        }
        long lacking = extents + metadata - made.leftExtents();
        if (lacking > 0) {
            return made.lacking(lacking);
        }
        return Allocator.allocate(
                Request.pool(extents, metadata, layout.allocation(), settings), made.layout());
    }
}
