package lvms.tests.runner;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints a line for each class as it ends, and the failures, the skips and the sums at last. Any
 * thread may call.
 */
final class Report {
    private final PrintStream out;
    private final Map<String, Integer> skippedClasses = new TreeMap<>();
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
    synchronized void end(Outcome outcome, double seconds) {
        all = all.plus(outcome);
        out.printf("%s (%.1f s)%n", outcome.sums(), seconds);
    }

    /** Prints all of a class that ran elsewhere. */
    synchronized void whole(TestClass testClass, String output, Outcome outcome, double seconds) {
        begin(testClass);
        out.print(output);
        end(outcome, seconds);
    }

    /** A class of the layer cannot run here; it counts as one. */
    synchronized void skipClass(TestClass testClass, String reason) {
        skippedClasses.merge(testClass.layer() + ": " + reason, 1, Integer::sum);
    }

    /** Prints failures, skips and sums; returns whether all is well. */
    synchronized boolean summarize() {
        all.failures().forEach(failure -> out.println("\nFAILED " + failure));
        skippedClasses.forEach(
                (reason, count) -> out.println("skipped " + count + " classes of " + reason));
        all.skips().forEach(skip -> out.println("skipped " + skip));
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
}
