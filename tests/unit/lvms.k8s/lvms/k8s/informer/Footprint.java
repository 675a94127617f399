package lvms.k8s.informer;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;

import lvms.k8s.client.Await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process holds at one moment.
 *
 * @param threads of all kinds, virtual ones too
 * @param heapBytes what a garbage collection left
 */
record Footprint(long threads, long heapBytes) {
    /** Some that come and go: of the JVM, of its HTTP clients. */
    private static final int MORE_THREADS = 10;

    /** Measures; {@code folder} is for a file that is gone afterwards. */
    static Footprint now(Path folder) {
        try {
            return new Footprint(threads(folder), heap());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long threads(Path folder) throws IOException {
        var file = folder.resolve("threads-" + System.nanoTime()).toAbsolutePath();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
        var text = Files.readString(file);
        Files.delete(file);
        return text.split("\"tid\"", -1).length;
    }

    private static long heap() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Waits until it is no larger than this, but for a few threads and some bytes. */
    void awaitAgain(Path folder, long moreBytes) {
        Await.until(
                () -> this + " again: " + now(folder),
                () -> {
                    var now = now(folder);
                    return now.threads <= threads + MORE_THREADS
                            && now.heapBytes <= heapBytes + moreBytes;
                });
    }
}
