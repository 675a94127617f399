package lvms.tests.bench.gate;

import lvms.tests.bench.gate.Recorded.Key;
import lvms.tests.bench.gate.Recorded.Row;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * One ratio beside what it was.
 *
 * @param now empty if it was not measured
 * @param row empty if it was not recorded
 */
record Line(Key key, Optional<BigDecimal> now, Optional<Row> row, Verdict verdict) {
    /** How much worse a ratio may be than the one that was recorded. */
    private static final BigDecimal MOST = new BigDecimal("1.25");

    private static final String FORMAT = "| %-66s | %8s | %8s | %6s | %-27s |%n";

    /** What stands above all of them. */
    static final String HEAD =
            FORMAT.formatted("ratio, or MiB", "now", "recorded", "goal", "")
                    + FORMAT.formatted("---", "---:", "---:", "---:", "---");

    /** What is to be said of a ratio. */
    enum Verdict {
        WELL(""),
        GOAL_MISSED("misses its goal"),
        WORSE(""),
        NOT_RECORDED("not recorded"),
        NOT_IN_RUN("not in this run"),
        SKIPPED("skipped"),
        DID_NOT_RUN("did not run");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** Whether it is a failure of its own: why a benchmark did not run is said once. */
        boolean fails() {
            return this == WORSE || this == NOT_RECORDED || this == NOT_IN_RUN;
        }
    }

    static Line measured(Key key, BigDecimal now, Optional<Row> row) {
        return new Line(key, Optional.of(now), row, verdict(now, row));
    }

    private static Verdict verdict(BigDecimal now, Optional<Row> row) {
        if (row.isEmpty()) {
            return Verdict.NOT_RECORDED;
        }
        if (now.compareTo(row.get().ratio().multiply(MOST)) > 0) {
            return Verdict.WORSE;
        }
        return misses(now, row.get()) ? Verdict.GOAL_MISSED : Verdict.WELL;
    }

    private static boolean misses(BigDecimal now, Row row) {
        return row.goal().filter(goal -> now.compareTo(goal) > 0).isPresent();
    }

    boolean hasGoal() {
        return now.isPresent() && row.flatMap(Row::goal).isPresent();
    }

    boolean missesItsGoal() {
        return now.isPresent() && row.isPresent() && misses(now.get(), row.get());
    }

    String words() {
        if (verdict != Verdict.WORSE) {
            return verdict.words;
        }
        var percent =
                now.orElseThrow()
                        .divide(row.orElseThrow().ratio(), 4, RoundingMode.UP)
                        .subtract(BigDecimal.ONE)
                        .movePointRight(2)
                        .setScale(0, RoundingMode.CEILING);
        return percent + " % worse" + (missesItsGoal() ? ", misses its goal" : "");
    }

    @Override
    public String toString() {
        return FORMAT.formatted(
                key, text(now), text(row.map(Row::ratio)), text(row.flatMap(Row::goal)), words());
    }

    private static String text(Optional<BigDecimal> value) {
        return value.map(BigDecimal::toPlainString).orElse("-");
    }
}
