package lvms.node.erasure;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.content.DeviceErasure;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Erases the content of one device.
 *
 * @param claim opens the device, which must be the right one
 * @param from how many bytes from the start are erased already
 * @param pieces how it is cut into pieces
 */
record ContentErasure(DeviceZeroing.Claim claim, long from, Pieces pieces) {
    private static final long UNIT = 4096;

    /** What is done up to here is so after a power cut, too. */
    private static final long CHECKPOINT = 1L << 30;

    /** The content of an active volume, as LVM has just reported it. */
    static ContentErasure of(LogicalVolume volume, Pieces pieces) {
        var path = Path.of("/dev", volume.name().vg(), volume.name().lv());
        return new ContentErasure(() -> DeviceErasure.claim(path, volume.uuid()), 0, pieces);
    }

    /** One piece; returns false if the device cannot do it. */
    private interface Piece {
        boolean erase(DeviceErasure device, long offset, long bytes) throws IOException;
    }

    /** Overwrites everything with zeros. */
    void zero(Work work) throws IOException, InterruptedException {
        erase(
                work,
                (device, offset, bytes) -> {
                    device.zero(offset, bytes);
                    return true;
                });
    }

    /** Tells the disk that nothing is needed; returns whether it can be told so. */
    boolean discard(Work work) throws IOException, InterruptedException {
        return erase(work, DeviceErasure::discard);
    }

    private boolean erase(Work work, Piece piece) throws IOException, InterruptedException {
        return pieces.onThread("erase-", () -> all(work, piece));
    }

    private boolean all(Work work, Piece piece) throws IOException, InterruptedException {
        try (var device = claim.open()) {
            long total = device.sizeBytes();
            long begin = from < total ? from / UNIT * UNIT : 0;
            for (long done = begin; done < total; ) {
                long offset = done;
                long bytes = Math.min(pieces.mostBytes(), total - done);
                if (!pieces.inTurn(work, bytes, () -> piece.erase(device, offset, bytes))) {
                    return false;
                }
                done += bytes;
                work.progress(done, total);
                if (done / CHECKPOINT > offset / CHECKPOINT) {
                    device.flush();
                    work.durable(done);
                }
            }
            device.flush(); // the mark goes next, which LVM may write to another disk
            work.durable(total);
            return true;
        }
    }
}
