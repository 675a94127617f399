package lvms.tests.runner;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * One of several shares of the tests that take about as long as each other. The same classes are
 * divided in the same way on each machine, so all shares together are all tests, each once.
 *
 * @param number from 1
 * @param count of how many
 */
record Share(int number, int count) {
    static final Share ALL = new Share(1, 1);

    private static final int MOST = 20;

    /** Reads {@code N/M}. */
    static Share parse(String option, String text) throws UsageException {
        if (text.matches("\\d{1,2}/\\d{1,2}")) {
            var words = text.split("/");
            var share = new Share(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
            if (share.number >= 1 && share.number <= share.count && share.count <= MOST) {
                return share;
            }
        }
        throw new UsageException(
                "%s needs N/M, such as 2/3, with M at most %d, not %s"
                        .formatted(option, MOST, text));
    }

    /** Returns what of the classes is in this share, in their order. */
    List<TestClass> of(Collection<TestClass> classes, ToIntFunction<TestClass> seconds) {
        return divide(count, classes, seconds).get(number - 1);
    }

    /** Divides classes: the longest first, each into what is the shortest list so far. */
    static List<List<TestClass>> divide(
            int count, Collection<TestClass> classes, ToIntFunction<TestClass> seconds) {
        var lists = new ArrayList<List<TestClass>>();
        var sums = new int[count];
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        var longestFirst =
                Comparator.comparingInt(seconds).reversed().thenComparing(TestClass::line);
        for (var testClass : classes.stream().sorted(longestFirst).toList()) {
            int shortest = 0;
            for (int i = 1; i < count; i++) {
                shortest = sums[i] < sums[shortest] ? i : shortest;
            }
            lists.get(shortest).add(testClass);
            sums[shortest] += seconds.applyAsInt(testClass);
        }
        lists.replaceAll(list -> classes.stream().filter(list::contains).toList());
        return List.copyOf(lists);
    }
}
