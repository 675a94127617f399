package lvms.k8s.controller;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sees that the process was told to end once more while it is ending.
 *
 * <p>The JVM starts a thread for each SIGTERM and SIGINT, named after the signal; while the first
 * one ends the process, the others wait for it. A handler of our own would need {@code
 * jdk.unsupported}, with which Netty and protobuf change how they use memory.
 */
final class SecondSignal {
    private static final Set<String> HANDLERS = Set.of("SIGTERM handler", "SIGINT handler");
    private static final Duration LOOK = Duration.ofMillis(100);

    private SecondSignal() {}

    /** Waits for the event; returns whether it came before a second signal and the time's end. */
    static boolean await(CountDownLatch event, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (!event.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            if (came() || System.nanoTime() >= end) {
                return false;
            }
        }
        return true;
    }

    static boolean came() {
        var root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        var threads = new Thread[root.activeCount() + 16];
        int count = root.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                        .filter(thread -> HANDLERS.contains(thread.getName()))
                        .count()
                > 1;
    }
}
