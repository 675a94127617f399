package lvms.tests.bench.cluster;

import java.util.List;

/** The table, row by row as it is measured. */
public final class Report {
    private Report() {}

    static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    public static void head(String title) {
        System.out.printf("%n%s%n%n", title);
        System.out.println(
                "| what                                    |     ms | floor ms |  raw ms | x raw |"
                        + " budget ms |      |");
        System.out.println(
                "| --------------------------------------- | -----: | -------: | ------: | ----: |"
                        + " --------: | ---- |");
    }

    /** A time beside that of Kubernetes alone and of LVM alone; 0 for none. */
    public static void row(String what, double millis, double floor, double raw, double budget) {
        System.out.printf(
                "| %-39s | %6.0f | %8s | %7s | %5s | %9s | %-4s |%n",
                what,
                millis,
                number("%.0f", floor),
                number("%.0f", raw),
                number("%.2f", raw == 0 ? 0 : millis / raw),
                number("%.0f", budget),
                budget == 0 ? "" : millis <= budget ? "well" : "over");
    }

    private static String number(String format, double value) {
        return value == 0 ? "-" : format.formatted(value);
    }
}
