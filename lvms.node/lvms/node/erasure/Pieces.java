package lvms.node.erasure;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Long work on the content of a device, cut into pieces that are short enough to stop between them,
 * each in turn with the work on others of its group, and all at the group's pace.
 *
 * @param name of the device, for people
 * @param rateBytes most bytes in a second
 * @param pace the pace of its group
 * @param turn of which whoever writes a piece has the permit
 */
public record Pieces(String name, long rateBytes, Pace pace, Semaphore turn) {
    private static final long PIECE = 16L << 20;
    private static final long UNIT = 4096;

    /** Returns how large a piece is at most. */
    public long mostBytes() {
        return Math.clamp(rateBytes / UNIT * UNIT, UNIT, PIECE);
    }

    /** Does all of it on a platform thread, since it may hang with the disk. */
    public <T> T onThread(String prefix, Callable<T> work)
            throws IOException, InterruptedException {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform()
                .daemon()
                .name(prefix + name)
                .start(
                        () -> {
                            try {
                                result.complete(work.call());
                            } catch (Exception e) { // whoever waits gets it
                                result.completeExceptionally(e);
                            }
                        });
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    /** What is done between two looks at whether it is still wanted. */
    @FunctionalInterface
    public interface Piece<T> {
        T run() throws IOException;
    }

    /**
     * Does one piece when it is its turn.
     *
     * @throws InterruptedIOException if nobody wants the work any more
     */
    public <T> T inTurn(Work work, long bytes, Piece<T> piece)
            throws IOException, InterruptedException {
        turn.acquire();
        try {
            if (work.stopped()) {
                throw new InterruptedIOException("work on " + name + " was stopped");
            }
            Thread.sleep(Duration.ofNanos(pace.take(bytes, rateBytes, System.nanoTime())));
            return piece.run();
        } finally {
            turn.release();
        }
    }
}
