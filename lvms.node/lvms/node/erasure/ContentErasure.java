package lvms.node.erasure;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.device.DeviceErasure;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Erases the content of one active volume, in pieces that are short enough to stop between them.
 * The writes are made by a platform thread, since they may hang with the disk.
 *
 * @param volume the volume, as LVM has just reported it
 * @param rateBytes most bytes in a second
 * @param pace the pace of its group
 * @param turn of which whoever writes a piece has the permit
 */
record ContentErasure(LogicalVolume volume, long rateBytes, Pace pace, Semaphore turn) {
    private static final long PIECE = 16L << 20;
    private static final long UNIT = 4096;

    /** One piece; returns false if the device cannot do it. */
    private interface Piece {
        boolean erase(DeviceErasure device, long offset, long bytes) throws IOException;
    }

    /** Overwrites everything with zeros. */
    void zero(Erasure erasure) throws IOException, InterruptedException {
        erase(
                erasure,
                (device, offset, bytes) -> {
                    device.zero(offset, bytes);
                    return true;
                });
    }

    /** Tells the disk that nothing is needed; returns whether it can be told so. */
    boolean discard(Erasure erasure) throws IOException, InterruptedException {
        return erase(erasure, DeviceErasure::discard);
    }

    private boolean erase(Erasure erasure, Piece piece) throws IOException, InterruptedException {
        var result = new CompletableFuture<Boolean>();
        Thread.ofPlatform()
                .daemon()
                .name("erase-" + volume.name())
                .start(
                        () -> {
                            try {
                                result.complete(pieces(erasure, piece));
                            } catch (IOException | InterruptedException | RuntimeException e) {
                                result.completeExceptionally(e);
                            }
                        });
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    private boolean pieces(Erasure erasure, Piece piece) throws IOException, InterruptedException {
        var path = Path.of("/dev", volume.name().vg(), volume.name().lv());
        try (var device = DeviceErasure.claim(path, volume.uuid())) {
            long total = device.sizeBytes();
            long most = Math.clamp(rateBytes / UNIT * UNIT, UNIT, PIECE);
            for (long done = 0; done < total; ) {
                long bytes = Math.min(most, total - done);
                if (!inTurn(erasure, bytes, piece, device, done)) {
                    return false;
                }
                done += bytes;
                erasure.progress(done, total);
            }
            device.flush(); // the mark goes next, which LVM may write to another disk
            return true;
        }
    }

    private boolean inTurn(
            Erasure erasure, long bytes, Piece piece, DeviceErasure device, long offset)
            throws IOException, InterruptedException {
        turn.acquire();
        try {
            if (erasure.stopped()) {
                throw new InterruptedIOException("erasing " + volume.name() + " was stopped");
            }
            Thread.sleep(Duration.ofNanos(pace.take(bytes, rateBytes, System.nanoTime())));
            return piece.erase(device, offset, bytes);
        } finally {
            turn.release();
        }
    }
}
