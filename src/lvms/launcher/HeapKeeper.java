package lvms.launcher;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;

/**
 * Gives memory back after a burst of work: the serial collector collects, and so shrinks, its old
 * generation only when it is full, which never happens in a process that idles afterwards.
 *
 * <p>A collection costs a few milliseconds for each 10 MiB of live objects, so it is asked for only
 * when it may free a lot: after the start, and after a burst.
 */
final class HeapKeeper implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HeapKeeper.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final long SLACK_BYTES = 8L << 20; // more than the young generation has

    private final Thread thread = Thread.ofVirtual().name("heap-keeper").unstarted(this::run);

    /** Starts looking, every ten seconds. */
    void start() {
        thread.start();
    }

    /**
     * Returns whether a collection is worth its pause.
     *
     * @param usedBytes what is in use, dead or alive
     * @param livedBytes what was alive after the last collection of this kind
     */
    static boolean worthwhile(long usedBytes, long livedBytes) {
        return usedBytes - livedBytes > Math.max(SLACK_BYTES, livedBytes / 2);
    }

    private void run() {
        var old = HeapRoom.old();
        var room = new HeapRoom();
        long lived = 0;
        try {
            while (true) {
                Thread.sleep(PERIOD);
                room.look(old.getCollectionUsage().getUsed(), old.getUsage().getMax())
                        .ifPresent(told -> LOG.log(WARNING, told));
                long used = used();
                if (worthwhile(used, lived)) {
                    System.gc();
                    lived = used();
                    long freed = used - lived;
                    LOG.log(DEBUG, () -> "heap collected freedBytes=" + freed);
                }
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, "heap keeper ended"); // by close()
        }
    }

    private static long used() {
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
