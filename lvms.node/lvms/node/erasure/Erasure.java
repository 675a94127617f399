package lvms.node.erasure;

import lvms.lvm2.LvName;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One piece of long work on the content of a volume, an erasure or a copy: how far it is, and how
 * it ended. Any thread may call.
 */
public final class Erasure implements Work {
    /** What is done with the content. */
    public enum Kind {
        ERASURE,
        COPY
    }

    private final Kind kind;
    private final LvName volume;
    private final String contentUuid;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long doneBytes;
    private volatile long totalBytes;
    private volatile boolean stopped;
    private volatile Optional<Exception> failure = Optional.empty();

    Erasure(Kind kind, LvName volume, String contentUuid, long totalBytes) {
        this.kind = kind;
        this.volume = volume;
        this.contentUuid = contentUuid;
        this.totalBytes = totalBytes;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the volume that waits for it: the one that is zeroed, or that is to grow. */
    public LvName volume() {
        return volume;
    }

    /** Returns LVM's UUID of the volume that is zeroed. */
    public String contentUuid() {
        return contentUuid;
    }

    public long doneBytes() {
        return doneBytes;
    }

    public long totalBytes() {
        return totalBytes;
    }

    /** Returns how far it is, from 0 to 100. */
    public int percent() {
        long total = totalBytes;
        return total == 0 ? 0 : (int) (100.0 * doneBytes / total);
    }

    /** Waits for the end; returns whether it came in this time. */
    public boolean await(Duration time) throws InterruptedException {
        return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean stopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void progress(long done, long total) {
        doneBytes = done;
        totalBytes = total;
    }

    void end(Optional<Exception> why) {
        failure = why;
        ended.countDown();
    }

    /** Returns whether it ended without success. */
    public boolean failed() {
        return failure.isPresent();
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    Optional<Exception> failure() {
        return failure;
    }
}
