package lvms.tests.runner;

import java.time.Duration;

/**
 * Until when test classes may begin: what a machine is too slow for is named and left out, where
 * otherwise somebody would end the whole run.
 *
 * @param limit of the run; zero: none
 * @param start of the run, by {@link System#nanoTime}
 */
record TimeLimit(Duration limit, long start) {
    static TimeLimit ofMinutes(int minutes) {
        return new TimeLimit(Duration.ofMinutes(minutes), System.nanoTime());
    }

    boolean over() {
        return !limit.isZero() && System.nanoTime() - start >= limit.toNanos();
    }

    /** What comes of a class that may not begin any more. */
    Outcome late(TestClass testClass) {
        return Outcome.skip(
                testClass.line() + ": not begun --within " + limit.toMinutes() + " minutes");
    }
}
