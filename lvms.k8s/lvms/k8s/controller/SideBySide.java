package lvms.k8s.controller;

import static java.lang.System.Logger.Level.ERROR;

import java.util.List;

/**
 * Closes parts at the same time: one that waits for its running work does not let the others take
 * new work meanwhile, and all together take as long as the slowest.
 */
public final class SideBySide {
    private static final System.Logger LOG = System.getLogger(SideBySide.class.getName());

    private SideBySide() {}

    /** Closes all parts and waits until the last is closed; what one throws is logged. */
    public static void close(List<? extends AutoCloseable> parts) {
        var threads =
                parts.stream().map(part -> Thread.startVirtualThread(() -> close(part))).toList();
        boolean interrupted = false;
        for (var thread : threads) {
            interrupted |= !ends(thread);
        }
        if (interrupted) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private static boolean ends(Thread thread) {
        try {
            thread.join();
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }

    /** Closes one part; what it throws is logged. */
    static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.log(ERROR, "part did not close part=" + part.getClass().getSimpleName(), e);
        }
    }
}
