package lvms.lvm2.command;

import java.util.ArrayList;
import java.util.List;

/** What one call costs by each way: medians, and the ratios of medians. */
final class BenchRow {
    static final String HEAD =
            """
            | call | volumes | worker ms | exec ms | raw ms | exec / worker | raw / worker \
            | ours, ms per command |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\
            """;

    private final String what;
    private final int volumes;
    private final long pauseMillis;
    private final List<Double> worker = new ArrayList<>();
    private final List<Double> exec = new ArrayList<>();
    private final List<Double> raw = new ArrayList<>();
    private final List<Double> ours = new ArrayList<>();
    private double lastWorker;

    /** With a pause before each call but those of the shell, which is not measured. */
    BenchRow(String what, int volumes, long pauseMillis) {
        this.what = what;
        this.volumes = volumes;
        this.pauseMillis = pauseMillis;
    }

    interface Run {
        Object make() throws Exception;
    }

    void worker(int runs, Run run) throws Exception {
        lastWorker = times(worker, runs, run);
    }

    /** What the calls took beside LVM's library, for each command. */
    void library(TimedEngine engine) {
        ours.add((lastWorker - engine.libraryNanos() / 1e6) / engine.commands());
    }

    void exec(int runs, Run run) throws Exception {
        times(exec, runs, run);
    }

    /** A loop of a shell; the mean counts as one run. */
    void raw(int runs, Run loop) throws Exception {
        long start = System.nanoTime();
        loop.make();
        raw.add((System.nanoTime() - start) / 1e6 / runs);
    }

    private double times(List<Double> times, int runs, Run run) throws Exception {
        double sum = 0;
        for (int i = 0; i < runs; i++) {
            Thread.sleep(pauseMillis);
            long start = System.nanoTime();
            run.make();
            double millis = (System.nanoTime() - start) / 1e6;
            times.add(millis);
            sum += millis;
        }
        return sum;
    }

    /** Returns the median by worker over that by exec. */
    double workerOverExec() {
        return median(worker) / median(exec);
    }

    /** Returns the median by worker over that of the shell's loop. */
    double workerOverRaw() {
        return median(worker) / median(raw);
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    @Override
    public String toString() {
        double ourTime = median(worker);
        return "| %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f |"
                .formatted(
                        what,
                        volumes,
                        ourTime,
                        median(exec),
                        median(raw),
                        median(exec) / ourTime,
                        median(raw) / ourTime,
                        median(ours));
    }
}
