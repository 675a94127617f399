package lvms.tests.runner;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints a line for each class as it ends, with its failures, so that a run that is cut short has
 * told them; at last the failures again, the skips, the times and the sums. Any thread may call.
 */
final class Report {
    private static final int SLOWEST = 20;

    /** How long a class ran. */
    private record Time(TestClass testClass, double seconds) {}

    private final PrintStream out;
    private final Map<String, Integer> skippedClasses = new TreeMap<>();
    private final Map<String, Double> parts = new LinkedHashMap<>();
    private final List<Time> times = new ArrayList<>();
    private Outcome all = Outcome.NONE;

    Report(PrintStream out) {
        this.out = out;
    }

    /** Begins the line of a class that prints what it has to say by itself, until its end. */
    synchronized void begin(TestClass testClass) {
        out.printf("%-12s%s ", testClass.layer(), testClass.name());
        out.flush();
    }

    /** Ends the line of a class. */
    synchronized void end(TestClass testClass, Outcome outcome, double seconds) {
        all = all.plus(outcome);
        times.add(new Time(testClass, seconds));
        out.printf("%s (%.1f s)%n", outcome.sums(), seconds);
        print(outcome.failures());
    }

    /** Prints all of a class that ran elsewhere. */
    synchronized void whole(TestClass testClass, String output, Outcome outcome, double seconds) {
        begin(testClass);
        out.print(output);
        end(testClass, outcome, seconds);
    }

    /** A class of the layer cannot run here; the layer counts as one skip. */
    synchronized void skipClass(TestClass testClass, String reason) {
        skippedClasses.merge(testClass.layer() + ": " + reason, 1, Integer::sum);
    }

    /** A class is left to {@code --full}, so no JVM is started for it. */
    synchronized void leave(TestClass testClass, String reason) {
        all = all.plus(Outcome.skip(testClass.line() + ": only with --full: " + reason));
    }

    /** What keeps a part from running is a failure of this run. */
    synchronized void require(String need, String reason) {
        all = all.plus(Outcome.failed(need + " cannot run on this machine: " + reason));
    }

    /** A part begins. */
    synchronized void title(String part) {
        out.println("== " + part);
    }

    /** A part has taken so long on the clock. */
    synchronized void part(String name, double seconds) {
        parts.merge(name, seconds, Double::sum);
    }

    /** Prints failures, skips, times and sums; returns whether all is well. */
    synchronized boolean summarize() {
        print(all.failures());
        skippedClasses.forEach(
                (reason, count) -> out.println("skipped " + count + " classes of " + reason));
        all.skips().forEach(skip -> out.println("skipped " + skip));
        printTimes();
        int skipped =
                all.skips().size()
                        + skippedClasses.values().stream().mapToInt(Integer::intValue).sum();
        int failed = all.failures().size();
        out.println(Outcome.sums(all.passed(), failed, skipped));
        if (all.passed() + failed + skipped == 0) {
            out.println("no test class matches");
        }
        return failed == 0 && all.passed() + skipped > 0;
    }

    private void print(List<String> failures) {
        failures.forEach(failure -> out.println("\nFAILED " + failure));
    }

    private void printTimes() {
        if (times.size() > 1) {
            out.println("the slowest classes:");
            times.stream()
                    .sorted(Comparator.comparingDouble(Time::seconds).reversed())
                    .limit(SLOWEST)
                    .forEach(t -> out.printf("%7.1f s  %s%n", t.seconds(), t.testClass().line()));
        }
        if (!parts.isEmpty()) {
            out.println(
                    parts.entrySet().stream()
                            .map(p -> "%s %.0f s".formatted(p.getKey(), p.getValue()))
                            .collect(Collectors.joining(", ", "wall time: ", "")));
        }
    }
}
