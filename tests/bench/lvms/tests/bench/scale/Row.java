package lvms.tests.bench.scale;

import lvms.tests.bench.Figures;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * What one process costs with a number of volumes. What was not measured is NaN.
 *
 * @param liveMib of its heap after a collection
 * @param serving how the operator serves claims
 * @param failOver how another one takes its place
 * @param remark what did not work
 */
record Row(
        String process,
        int volumes,
        Figures figures,
        double liveMib,
        Serving serving,
        FailOver failOver,
        String remark) {
    private static final double UNKNOWN = Double.NaN;
    private static final Figures NO_FIGURES =
            new Figures(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

    /** The heads of the columns, and how many decimals they have. */
    private static final List<String> HEADS =
            List.of(
                    "ready ms",
                    "RSS MiB",
                    "anonymous MiB",
                    "live heap MiB",
                    "milli-CPU",
                    "first claim ms",
                    "claim to LogicalVolume ms",
                    "made to PersistentVolume ms",
                    "leader killed s",
                    "leader ended s");

    private static final int[] DECIMALS = {0, 1, 1, 1, 1, 0, 1, 1, 1, 1};

    /**
     * How the operator serves claims, in milliseconds.
     *
     * @param firstMillis from the start of the process until it has written the LogicalVolume of a
     *     claim that was there before
     * @param logicalVolumeMillis of one more claim
     * @param persistentVolumeMillis of one more claim
     */
    record Serving(double firstMillis, double logicalVolumeMillis, double persistentVolumeMillis) {
        static final Serving NONE = new Serving(UNKNOWN, UNKNOWN, UNKNOWN);
    }

    /**
     * How long it takes until the operator that stood by has written the LogicalVolume of a claim.
     *
     * @param killedSeconds from a SIGKILL of the leader
     * @param endedSeconds from a SIGTERM
     */
    record FailOver(double killedSeconds, double endedSeconds) {
        static final FailOver NONE = new FailOver(UNKNOWN, UNKNOWN);
    }

    /** One that could not be measured. */
    static Row failed(String process, int volumes, String why) {
        return new Row(process, volumes, NO_FIGURES, UNKNOWN, Serving.NONE, FailOver.NONE, why);
    }

    Row with(FailOver other) {
        return new Row(process, volumes, figures, liveMib, serving, other, remark);
    }

    Row with(String other) {
        return new Row(process, volumes, figures, liveMib, serving, failOver, other);
    }

    boolean measured() {
        return !Double.isNaN(figures.readyMillis());
    }

    private double[] values() {
        return new double[] {
            figures.readyMillis(),
            figures.residentMib(),
            figures.anonymousMib(),
            liveMib,
            figures.milliCpu(),
            serving.firstMillis(),
            serving.logicalVolumeMillis(),
            serving.persistentVolumeMillis(),
            failOver.killedSeconds(),
            failOver.endedSeconds()
        };
    }

    /** Returns the head of the table. */
    static String head() {
        var heads = String.join(" | ", HEADS);
        return "| process | volumes | %s | |%n| --- | ---: |%s --- |"
                .formatted(heads, " ---: |".repeat(HEADS.size()));
    }

    /** Returns it as a row of the table. */
    String line() {
        var line = new StringBuilder("| %s | %s | ".formatted(process, count(volumes)));
        var values = values();
        for (int i = 0; i < values.length; i++) {
            line.append(number(values[i], DECIMALS[i])).append(" | ");
        }
        return line + remark + " |";
    }

    private static String number(double value, int decimals) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    static String count(int volumes) {
        return String.format(Locale.ROOT, "%,d", volumes);
    }

    /** Returns what 1,000 volumes more cost, by the first and the last of the rows of a process. */
    static String slope(List<Row> rows) {
        var measured = rows.stream().filter(Row::measured).toList();
        if (measured.size() < 2) {
            return rows.getFirst().process() + ": too few rows for a slope";
        }
        var first = measured.getFirst();
        var last = measured.getLast();
        double thousands = (last.volumes - first.volumes) / 1e3;
        var each =
                DoubleStream.of(
                                last.figures.residentMib() - first.figures.residentMib(),
                                last.figures.anonymousMib() - first.figures.anonymousMib(),
                                last.liveMib - first.liveMib,
                                last.figures.readyMillis() - first.figures.readyMillis())
                        .mapToObj(more -> number(more / thousands, 2))
                        .toList();
        var text =
                "%s, for each 1,000 volumes from %s to %s: RSS %s, anonymous %s, live heap %s MiB;"
                        + " ready %s ms";
        return text.formatted(
                first.process,
                count(first.volumes),
                count(last.volumes),
                each.get(0),
                each.get(1),
                each.get(2),
                each.get(3));
    }
}
