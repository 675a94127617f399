package lvms.tests.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one process costs while it has nothing to do.
 *
 * @param readyMillis from its start until it was ready
 * @param residentMib resident memory
 * @param anonymousMib the part of it that no file backs
 * @param threads threads of the kernel
 * @param milliCpu thousandths of a CPU
 */
public record Figures(
        double readyMillis,
        double residentMib,
        double anonymousMib,
        double threads,
        double milliCpu) {
    private static final int CPU_TICKS_PER_SECOND = 100; // USER_HZ, proc_pid_stat(5)

    /** Lets the process settle, and reads its files below /proc. */
    static Figures of(long pid, Duration ready, Duration settle)
            throws IOException, InterruptedException {
        Thread.sleep(settle.dividedBy(2));
        long ticks = cpuTicks(pid);
        Thread.sleep(settle.dividedBy(2));
        double seconds = settle.toMillis() / 2000.0;
        var status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
        return new Figures(
                ready.toMillis(),
                field(status, "VmRSS:") / 1024,
                field(status, "RssAnon:") / 1024,
                field(status, "Threads:"),
                (cpuTicks(pid) - ticks) * 1000.0 / CPU_TICKS_PER_SECOND / seconds);
    }

    private static double field(List<String> status, String name) {
        for (var line : status) {
            if (line.startsWith(name)) {
                return Double.parseDouble(line.substring(name.length()).replace("kB", "").strip());
            }
        }
        throw new IllegalStateException("no " + name + " in /proc/PID/status");
    }

    /** User and system time: fields 14 and 15, counted from the end of the name in parentheses. */
    private static long cpuTicks(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /** Returns the median of each figure. */
    static Figures median(List<Figures> runs) {
        return new Figures(
                median(runs, Figures::readyMillis),
                median(runs, Figures::residentMib),
                median(runs, Figures::anonymousMib),
                median(runs, Figures::threads),
                median(runs, Figures::milliCpu));
    }

    private static double median(List<Figures> runs, ToDoubleFunction<Figures> figure) {
        var sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns a row of the table. */
    String row(String what) {
        return "| %-25s | %8.0f | %7.1f | %13.1f | %7.0f | %9.1f |"
                .formatted(what, readyMillis, residentMib, anonymousMib, threads, milliCpu);
    }

    /** Returns the head of the table. */
    static String head() {
        return """
        | process                   | ready ms | RSS MiB | anonymous MiB | threads | milli-CPU |
        | ------------------------- | -------: | ------: | ------------: | ------: | --------: |\
        """;
    }
}
