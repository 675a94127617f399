package lvms.tests.runner;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts and prints what the launcher tells. */
final class Report implements TestExecutionListener {
    private final List<String> failures = new ArrayList<>();
    private final List<String> skips = new ArrayList<>();
    private final Map<String, Integer> skippedClasses = new TreeMap<>();
    private int passed;
    private int failed;
    private int skipped;
    private String className;
    private int passedBefore;
    private int failedBefore;
    private int skippedBefore;
    private long startedNanos;

    void startClass(String layer, String name) {
        className = name;
        passedBefore = passed;
        failedBefore = failed;
        skippedBefore = skipped;
        startedNanos = System.nanoTime();
        System.out.printf("%-12s%s ", layer, name);
        System.out.flush();
    }

    void endClass() {
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        System.out.printf(
                "%d passed, %d failed, %d skipped (%.1f s)%n",
                passed - passedBefore, failed - failedBefore, skipped - skippedBefore, seconds);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skip(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
            case ABORTED ->
                    skip(test, result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
            case FAILED -> fail(test, result);
        }
    }

    /** A class of the layer cannot run here; it counts as one. */
    void skipClass(String layer, String reason) {
        skipped++;
        skippedClasses.merge(layer + ": " + reason, 1, Integer::sum);
    }

    private void skip(TestIdentifier test, String reason) {
        skipped++;
        skips.add(className + " " + test.getDisplayName() + ": " + reason);
    }

    private void fail(TestIdentifier test, TestExecutionResult result) {
        failed++;
        var trace = new StringWriter();
        result.getThrowable().ifPresent(t -> t.printStackTrace(new PrintWriter(trace)));
        failures.add(className + " " + test.getDisplayName() + "\n" + trace);
    }

    /** Prints failures, skips and sums; returns whether all is well. */
    boolean summarize() {
        failures.forEach(failure -> System.out.println("\nFAILED " + failure));
        skippedClasses.forEach(
                (reason, count) ->
                        System.out.println("skipped " + count + " classes of " + reason));
        skips.forEach(skip -> System.out.println("skipped " + skip));
        System.out.printf("%d passed, %d failed, %d skipped%n", passed, failed, skipped);
        if (passed + failed + skipped == 0) {
            System.out.println("no test class matches");
        }
        return failed == 0 && passed + skipped > 0;
    }
}
