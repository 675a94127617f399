package lvms.lvm2.system;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Waits for a process as long as programs that it started are at work, and a time beyond that. Work
 * is CPU time and I/O, as {@code /proc/PID/stat} and {@code /proc/PID/io} count them: proc(5). A
 * program that checks the metadata of a large pool may take hours; one that hangs in the kernel
 * does nothing. One thread uses it.
 */
public final class Vigil {
    private static final System.Logger LOG = System.getLogger(Vigil.class.getName());
    private static final long LONGEST_LOOK = TimeUnit.SECONDS.toNanos(15);
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    /** Fields of stat behind the name: user and system time, its own and of ended children. */
    private static final List<Integer> TIMES = List.of(11, 12, 13, 14);

    /** Whose work counts. */
    public enum Whose {
        /** That of the programs which the process started. */
        HELPERS,
        /** Also its own. */
        ALL
    }

    private final ProcessHandle process;
    private final Whose whose;
    private final long patience;
    private final long longest;
    private final long start = System.nanoTime();
    private long since = start;
    private long logged = start;
    private String seen = "";

    /**
     * @param patience how long nobody may be at work
     * @param longest how long all of it may last
     */
    public Vigil(ProcessHandle process, Whose whose, Duration patience, Duration longest) {
        this.process = process;
        this.whose = whose;
        this.patience = patience.toNanos();
        this.longest = longest.toNanos();
    }

    /** Returns for how many nanoseconds to wait before the next call; zero if time is up. */
    public long nanosToWait() {
        long now = System.nanoTime();
        long left = Math.min(patience - (now - since), longest - (now - start));
        if (now - since >= Math.min(LONGEST_LOOK, patience / 4)) {
            var work = work();
            if (!work.equals(seen)) {
                seen = work;
                since = now;
                left = Math.min(patience, longest - (now - start));
                tell(now);
            }
        }
        return Math.clamp(left, 0, Math.max(1, Math.min(LONGEST_LOOK, patience / 4)));
    }

    private void tell(long now) {
        if (now - logged >= LOG_EVERY) {
            logged = now;
            LOG.log(
                    Level.INFO,
                    () ->
                            "still at work after %d s: %s"
                                    .formatted(TimeUnit.NANOSECONDS.toSeconds(now - start), seen));
        }
    }

    private String work() {
        var helpers = process.descendants();
        var all = whose == Whose.ALL ? Stream.concat(Stream.of(process), helpers) : helpers;
        return all.map(p -> work(Path.of("/proc", Long.toString(p.pid()))))
                .collect(Collectors.joining("; "));
    }

    private static String work(Path proc) {
        try {
            var stat = Files.readString(proc.resolve("stat"));
            var name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = TIMES.stream().mapToLong(field -> Long.parseLong(fields[field])).sum();
            return "%s %s ticks %s".formatted(name, ticks, io(proc));
        } catch (IOException e) {
            return proc.getFileName() + " ended";
        }
    }

    private static String io(Path proc) throws IOException {
        try (var lines = Files.lines(proc.resolve("io"))) {
            return lines.filter(line -> line.startsWith("read_bytes") || line.startsWith("write_"))
                    .collect(Collectors.joining(" "));
        }
    }
}
