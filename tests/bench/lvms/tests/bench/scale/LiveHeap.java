package lvms.tests.bench.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What is alive in the heap of another JVM, by class; asking makes it collect garbage first. */
final class LiveHeap {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    private LiveHeap() {}

    /** Writes the histogram into a file; returns the sum in MiB. */
    static double mib(long pid, Path file) throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd").toString();
        var words = List.of(jcmd, Long.toString(pid), "GC.class_histogram");
        var process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(file.toFile())
                        .start();
        if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("no histogram within " + DEADLINE);
        }
        var total = TOTAL.matcher(Files.readString(file));
        if (!total.find()) {
            throw new IOException("no histogram: see " + file);
        }
        return Long.parseLong(total.group(1)) / (double) (1 << 20);
    }
}
