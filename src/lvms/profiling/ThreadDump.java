package lvms.profiling;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;

/** The stacks of all threads. Unlike those of {@code jstack}, they include virtual ones. */
final class ThreadDump {
    private ThreadDump() {}

    static byte[] json() throws IOException {
        return dump(ThreadDumpFormat.JSON);
    }

    static byte[] text() throws IOException {
        return dump(ThreadDumpFormat.TEXT_PLAIN);
    }

    /** The JVM writes into a new file only. */
    private static byte[] dump(ThreadDumpFormat format) throws IOException {
        var folder = Files.createTempDirectory("threads");
        var file = folder.resolve("dump");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toAbsolutePath().toString(), format);
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }
}
