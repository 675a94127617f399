package lvms.tests.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All shares together are all classes, each once, and they take about as long as each other. */
class ShareTests {
    private static final Map<String, Integer> SECONDS =
            Map.of("a", 10, "b", 100, "c", 10, "d", 60, "e", 30, "f", 10);

    private static final List<TestClass> CLASSES =
            Stream.of("a", "b", "c", "d", "e", "f")
                    .map(name -> new TestClass("lab", name))
                    .toList();

    private final ToIntFunction<TestClass> seconds = testClass -> SECONDS.get(testClass.name());

    private List<String> names(Share share, List<TestClass> classes) {
        return share.of(classes, seconds).stream().map(TestClass::name).toList();
    }

    @Test
    void theLongestGoIntoTheShortestShareThatThereIs() throws Exception {
        assertEquals(List.of("b", "c"), names(Share.parse("--part", "1/2"), CLASSES));
        assertEquals(List.of("a", "d", "e", "f"), names(Share.parse("--part", "2/2"), CLASSES));
        assertEquals(List.of("a", "b", "c", "d", "e", "f"), names(Share.ALL, CLASSES));
    }

    @Test
    void theOrderInWhichClassesAreFoundChangesNothing() {
        for (int number = 1; number <= 3; number++) {
            var share = new Share(number, 3);
            assertEquals(
                    names(share, CLASSES).stream().sorted().toList(),
                    names(share, CLASSES.reversed()).stream().sorted().toList());
        }
    }

    @Test
    void moreSharesThanClassesLeaveSomeEmpty() {
        var all =
                IntStream.rangeClosed(1, 9)
                        .mapToObj(number -> names(new Share(number, 9), CLASSES))
                        .flatMap(List::stream)
                        .sorted()
                        .toList();
        assertEquals(List.of("a", "b", "c", "d", "e", "f"), all);
        assertEquals(List.of(), names(new Share(9, 9), CLASSES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/2", "3/2", "1", "1/", "x/2", "1/21", "-1/2"})
    void refusesWhatIsNoShare(String text) {
        var refused = assertThrows(UsageException.class, () -> Share.parse("--part", text));
        assertEquals(
                "--part needs N/M, such as 2/3, with M at most 20, not " + text,
                refused.getMessage());
    }
}
