package lvms.tests.runner;

import java.util.List;
import java.util.stream.Stream;

/**
 * What came of tests.
 *
 * @param failures each with the name of its class and its trace
 * @param skips each with the name of its class and its reason
 */
record Outcome(int passed, List<String> failures, List<String> skips) {
    static final Outcome NONE = new Outcome(0, List.of(), List.of());

    static Outcome failure(TestClass testClass, String text) {
        return failed(testClass.name() + " " + text);
    }

    static Outcome failed(String text) {
        return new Outcome(0, List.of(text), List.of());
    }

    static Outcome skip(String text) {
        return new Outcome(0, List.of(), List.of(text));
    }

    Outcome plus(Outcome other) {
        return new Outcome(
                passed + other.passed,
                Stream.concat(failures.stream(), other.failures.stream()).toList(),
                Stream.concat(skips.stream(), other.skips.stream()).toList());
    }

    /** As {@code .ci/run} looks for it. */
    static String sums(int passed, int failed, int skipped) {
        return passed + " passed, " + failed + " failed, " + skipped + " skipped";
    }

    String sums() {
        return sums(passed, failures.size(), skips.size());
    }
}
