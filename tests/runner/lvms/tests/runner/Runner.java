package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs test classes in this JVM, one after the other, as a node of the lab does: a line for each
 * class, the failures in full, and the sums last.
 *
 * <p>Argument: a file with a line {@code layer class} for each test class.
 */
public final class Runner {
    private final ThisJvm jvm = new ThisJvm();
    private final Report report;
    private final TimeLimit limit;

    Runner(Report report, TimeLimit limit) {
        this.report = report;
        this.limit = limit;
    }

    /** Exits with 1 if a test failed or a class held none. */
    public static void main(String[] args) throws IOException {
        var report = new Report(System.out);
        new Runner(report, TimeLimit.ofMinutes(0)).run(TestClass.readAll(Path.of(args[0])), 1);
        System.exit(report.summarize() ? 0 : 1);
    }

    /** Runs each class so many times before the next. */
    void run(List<TestClass> classes, int times) {
        for (var testClass : classes) {
            long start = System.nanoTime();
            report.begin(testClass);
            if (limit.over()) {
                report.end(testClass, limit.late(testClass), 0);
                continue;
            }
            var outcome = Outcome.NONE;
            int good = 0;
            for (int i = 0; i < times; i++) {
                var one = jvm.run(testClass);
                good += one.failures().isEmpty() ? 1 : 0;
                outcome = outcome.plus(one);
            }
            if (times > 1) {
                System.out.print(good + " of " + times + " runs are good: ");
            }
            report.end(testClass, outcome, (System.nanoTime() - start) / 1e9);
        }
    }
}
