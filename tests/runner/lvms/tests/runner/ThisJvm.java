package lvms.tests.runner;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.TagFilter.includeTags;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs test classes in this JVM, one after the other. System property {@code lvms.tag}: only tests
 * of this tag.
 */
final class ThisJvm {
    private static final String TAG = System.getProperty("lvms.tag", "");

    private final Launcher launcher = LauncherFactory.create();

    Outcome run(TestClass testClass) {
        var notes = new Notes(testClass.name());
        var request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass.name()));
        if (!TAG.isEmpty()) {
            request.filters(includeTags(TAG));
        }
        launcher.execute(request.build(), notes);
        return notes.outcome();
    }

    /** Notes what the launcher reports about one class. */
    private static final class Notes implements TestExecutionListener {
        private final String className;
        private final List<String> failures = new ArrayList<>();
        private final List<String> skips = new ArrayList<>();
        private int passed;

        Notes(String className) {
            this.className = className;
        }

        Outcome outcome() {
            return new Outcome(passed, List.copyOf(failures), List.copyOf(skips));
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
                        skip(
                                test,
                                result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
                case FAILED -> fail(test, result);
            }
        }

        private void skip(TestIdentifier test, String reason) {
            skips.add(className + " " + test.getDisplayName() + ": " + reason);
        }

        private void fail(TestIdentifier test, TestExecutionResult result) {
            var trace = new StringWriter();
            result.getThrowable().ifPresent(t -> t.printStackTrace(new PrintWriter(trace)));
            failures.add(className + " " + test.getDisplayName() + "\n" + trace);
        }
    }
}
