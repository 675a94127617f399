package lvms.k8s.testkit.fault;

import lvms.k8s.testkit.http.Exchange;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What tests do to open watches. Safe for any thread; wake waiting watches afterwards. */
public final class WatchControl {
    private static final int SLOW_BYTES = 97; // no divisor of anything, so it cuts anywhere
    private static final long SLOW_NANOS = 1_000_000;

    private final Hits hits;
    private final AtomicLong bookmarks = new AtomicLong();
    private final AtomicLong ends = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private volatile long cutAfterBytes = Long.MAX_VALUE;
    private volatile boolean stalled;
    private volatile boolean expiryAsEvent;
    private volatile boolean duplicate;
    private volatile boolean reorder;
    private volatile boolean slow;
    private volatile boolean streamingLists = true;

    /** Counts in {@code hits} whatever met a watch. */
    public WatchControl(Hits hits) {
        this.hits = hits;
    }

    /** Where faults that met something are counted. */
    public Hits hits() {
        return hits;
    }

    /** Asks every watch that allows bookmarks for one. */
    public void bookmark() {
        bookmarks.incrementAndGet();
    }

    /** Ends every watch as a server does: a clean end of the stream. */
    public void end() {
        ends.incrementAndGet();
    }

    /** Cuts the connection of every watch. */
    public void cut() {
        cuts.incrementAndGet();
    }

    /** Cuts each watch once it has sent this many bytes; {@link Long#MAX_VALUE} means never. */
    public void cutAfterBytes(long bytes) {
        cutAfterBytes = bytes;
    }

    /** Whether watches stay open but send nothing. */
    public void stall(boolean on) {
        stalled = on;
    }

    /** Whether expired revisions give an ERROR event in a 200 stream, not status 410. */
    public void expiryAsEvent(boolean on) {
        expiryAsEvent = on;
    }

    /** Whether each event is sent twice. */
    public void duplicate(boolean on) {
        duplicate = on;
    }

    /** Whether events of different objects that are sent together change places. */
    public void reorder(boolean on) {
        reorder = on;
    }

    /** Whether watches send a few bytes at a time, with pauses. */
    public void slow(boolean on) {
        slow = on;
    }

    /** Whether {@code sendInitialEvents} is served. */
    public void streamingLists(boolean on) {
        streamingLists = on;
    }

    public long bookmarkCount() {
        return bookmarks.get();
    }

    /** How often tests asked to end watches. */
    public long endCount() {
        return ends.get();
    }

    /** How often tests asked to cut watches. */
    public long cutCount() {
        return cuts.get();
    }

    /** After how many bytes a watch is cut. */
    public long cutAfterBytes() {
        return cutAfterBytes;
    }

    /** Whether watches are silent. */
    public boolean stalled() {
        return stalled;
    }

    /** Whether expired revisions give an ERROR event. */
    public boolean expiryAsEvent() {
        return expiryAsEvent;
    }

    /** Whether each event is sent twice. */
    public boolean duplicates() {
        return duplicate;
    }

    /** Whether events change places. */
    public boolean reorders() {
        return reorder;
    }

    /** Sends bytes of a watch, at once or slowly. */
    public void send(Exchange exchange, byte[] bytes) throws IOException {
        boolean slowly = slow;
        if (slowly) {
            hits.count("slowWatches");
        }
        int piece = slowly ? SLOW_BYTES : bytes.length;
        for (int from = 0; from < bytes.length; from += piece) {
            if (slowly) {
                LockSupport.parkNanos(SLOW_NANOS);
            }
            exchange.chunk(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece)));
        }
    }

    /** Whether {@code sendInitialEvents} is served. */
    public boolean streamingLists() {
        return streamingLists;
    }
}
