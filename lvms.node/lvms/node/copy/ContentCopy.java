package lvms.node.copy;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvmException;
import lvms.lvm2.content.DeviceCopy;
import lvms.node.erasure.Erasure;
import lvms.node.erasure.Marks;
import lvms.node.erasure.Pieces;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Copies the content of one active volume to another one, and zeroes what that has more, if it has
 * to be zeroed.
 *
 * @param source the snapshot
 * @param target the volume that is filled, as LVM has just reported it
 * @param pieces how it is cut into pieces
 * @param noting how often to note how far it is
 * @param note where
 */
record ContentCopy(
        LogicalVolume source, LogicalVolume target, Pieces pieces, Duration noting, Note note) {
    /** Writes down how many bytes are certainly there. */
    interface Note {
        void copied(long bytes) throws LvmException, InterruptedException;
    }

    /**
     * Copies what is missing.
     *
     * @param from how many bytes are there already
     */
    void run(Erasure progress, long from) throws IOException, InterruptedException {
        boolean _ = pieces.onThread("copy-", () -> all(progress, from));
    }

    private boolean all(Erasure progress, long from)
            throws LvmException, IOException, InterruptedException {
        try (var device = DeviceCopy.open(path(source), path(target), target.uuid())) {
            long content = device.sourceBytes();
            long end = target.tags().contains(Marks.UNERASED) ? device.targetBytes() : content;
            long noted = System.nanoTime();
            for (long done = Math.min(from, end); done < end; ) {
                progress.progress(done, end);
                done += piece(progress, device, done, done < content ? content : end);
                if (System.nanoTime() - noted > noting.toNanos()) {
                    device.flush();
                    note.copied(done);
                    noted = System.nanoTime();
                }
            }
            device.flush(); // the mark goes next, which LVM may write to another disk
            progress.progress(end, end);
            return true;
        }
    }

    private long piece(Erasure progress, DeviceCopy device, long offset, long end)
            throws IOException, InterruptedException {
        long bytes = Math.min(pieces.mostBytes(), end - offset);
        return pieces.inTurn(
                progress,
                bytes,
                () -> {
                    if (offset < device.sourceBytes()) {
                        device.copy(offset, bytes);
                    } else {
                        device.zero(offset, bytes);
                    }
                    return bytes;
                });
    }

    private static Path path(LogicalVolume volume) {
        return Path.of("/dev", volume.name().vg(), volume.name().lv());
    }
}
