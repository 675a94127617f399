package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs test classes and reports like a person would want to read it: one line for each class, the
 * failures in full, each skip with its reason, and the sums last.
 *
 * <p>Argument: a file with a line {@code layer class} for each test class. The classes of the layer
 * lab have machines of their own, so they run side by side: two on a machine with two CPUs or more,
 * or as many as {@code -Dlvms.lanes} says.
 */
public final class Runner {
    private static final int LANES =
            Integer.getInteger(
                    "lvms.lanes", Math.min(2, Runtime.getRuntime().availableProcessors()));

    private Runner() {}

    /** Exits with 1 if a test failed or a class held none. */
    public static void main(String[] args) throws IOException, InterruptedException {
        var file = Path.of(args[0]);
        var report = new Report(System.out);
        var here = new ArrayList<TestClass>();
        var sideBySide = new ArrayList<TestClass>();
        for (var testClass : TestClass.readAll(file)) {
            testClass
                    .obstacle()
                    .ifPresentOrElse(
                            reason -> report.skipClass(testClass, reason),
                            () ->
                                    (testClass.layer().equals("lab") ? sideBySide : here)
                                            .add(testClass));
        }
        if (LANES < 2 || sideBySide.size() < 2) {
            here.addAll(sideBySide);
            sideBySide.clear();
        }
        runHere(here, report);
        if (!sideBySide.isEmpty()) {
            new Lanes(LANES, file.toAbsolutePath().getParent(), report).run(sideBySide);
        }
        System.exit(report.summarize() ? 0 : 1);
    }

    private static void runHere(List<TestClass> classes, Report report) {
        var jvm = new ThisJvm();
        for (var testClass : classes) {
            long start = System.nanoTime();
            report.begin(testClass);
            var outcome = jvm.run(testClass);
            report.end(outcome, (System.nanoTime() - start) / 1e9);
        }
    }
}
