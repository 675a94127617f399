package lvms.tests.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Classes that run side by side are reported as those that run one after the other; one whose JVM
 * dies has failed, and none outlives the JVM that started it.
 */
@Timeout(60)
class LanesTests {
    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(printed, true));

    /** Each way a test ends. */
    static class Ends {
        @Test
        void passes() {
            System.out.println("said by a test");
        }

        @Test
        void fails() {
            assertEquals(1, 2, "as it should");
        }

        @Test
        void isSkipped() {
            assumeTrue(false, "for a reason");
        }
    }

    /** Takes its JVM with it. */
    static class Dies {
        @Test
        void dies() {
            System.out.println("last words");
            Runtime.getRuntime().halt(3);
        }
    }

    /** Never ends by itself. */
    static class Stays {
        @Test
        void stays() throws InterruptedException {
            System.out.println("here");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static TestClass of(Class<?> tests) {
        return new TestClass("lab", tests.getName());
    }

    private Lanes lanes() {
        return lanes(TimeLimit.ofMinutes(0));
    }

    private Lanes lanes(TimeLimit limit) {
        return new Lanes(folder, Map.of("lvms.test.setting", "told"), report, limit);
    }

    /** One class of a JVM that others have used before. */
    static class Counts {
        private static int runs;

        @Test
        void isTheFirst() {
            assertEquals("told", System.getProperty("lvms.test.setting"));
            assertEquals(1, ++runs);
        }
    }

    @Test
    void eachClassIsPrintedInOnePieceAndTheSumsAreThoseOfAll() throws Exception {
        lanes().run(Lanes.ownJvms(2, List.of(of(Dies.class), of(Ends.class))));
        assertReportOfDiesAndEnds();
    }

    @Test
    void aLaneGoesOnInANewJvmAfterOneHasDied() throws Exception {
        lanes().run(Lanes.shared("some", 1, List.of(of(Dies.class), of(Ends.class))));
        assertReportOfDiesAndEnds();
    }

    private void assertReportOfDiesAndEnds() {
        assertFalse(report.summarize());
        var text = printed.toString();
        assertTrue(
                text.contains("lab         " + Ends.class.getName() + " said by a test\n"), text);
        assertTrue(text.contains("\n1 passed, 1 failed, 1 skipped ("), text);
        assertTrue(text.contains("FAILED " + Ends.class.getName() + " fails()\n"), text);
        assertTrue(text.contains("as it should"), text);
        assertTrue(text.contains("skipped " + Ends.class.getName() + " isSkipped(): "), text);
        var death = Dies.class.getName() + " ended with status 3 before its sums. It printed:\n";
        assertTrue(text.contains("FAILED " + death + "last words\n"), text);
        assertTrue(text.contains("\nthe slowest classes:\n"), text);
        assertTrue(text.endsWith("\n1 passed, 2 failed, 1 skipped\n"), text);
    }

    @Test
    void classesOfASharedLaneMeetInOneJvmAndOthersDoNot() throws Exception {
        lanes().run(Lanes.ownJvms(1, List.of(of(Counts.class), of(Counts.class))));
        assertTrue(report.summarize(), printed.toString());
        lanes().run(Lanes.each(List.of(List.of(of(Counts.class), of(Counts.class)))));
        assertFalse(report.summarize());
        assertTrue(printed.toString().endsWith("\n3 passed, 1 failed, 0 skipped\n"));
    }

    @Test
    void listsOfOneLayerHaveJvmsOfTheirOwn() throws Exception {
        var lanes = Lanes.each(List.of(List.of(of(Counts.class)), List.of(of(Counts.class))));
        lanes().run(lanes);
        assertTrue(report.summarize(), printed.toString());
        assertEquals(List.of(1, 2), lanes.stream().map(Lanes.Lane::number).toList());
        assertEquals(2, lanes.stream().map(Lanes.Lane::name).distinct().count());
    }

    @Test
    void aClassThatWouldBeginTooLateIsNamedAndNotRun() throws Exception {
        var began = System.nanoTime() - Duration.ofSeconds(61).toNanos();
        lanes(new TimeLimit(Duration.ofMinutes(2), began))
                .run(Lanes.shared("some", 1, List.of(of(Counts.class))));
        var over = new TimeLimit(Duration.ofMinutes(1), began);
        lanes(over).run(Lanes.shared("some", 1, List.of(of(Dies.class))));
        new Runner(report, over).run(List.of(of(Ends.class)), 1);
        assertTrue(report.summarize(), printed.toString());
        var text = printed.toString();
        for (var late : List.of(Dies.class, Ends.class)) {
            var line = "skipped lab %s: not begun --within 1 minutes\n";
            assertTrue(text.contains(line.formatted(late.getName())), text);
        }
        assertTrue(text.endsWith("\n1 passed, 0 failed, 2 skipped\n"), text);
    }

    /** Only a long run has the time. */
    @FullOnly("for a reason")
    static class LeftToFull {
        @Test
        void passes() {}
    }

    @Test
    void aClassThatIsLeftToTheLongRunIsNamedWithItsReason() {
        assertEquals(Optional.empty(), of(Ends.class).fullOnly());
        report.leave(of(LeftToFull.class), of(LeftToFull.class).fullOnly().orElseThrow());
        assertTrue(report.summarize());
        var line = "skipped lab %s: only with --full: for a reason\n";
        assertTrue(printed.toString().contains(line.formatted(LeftToFull.class.getName())));
    }

    @Test
    void timesOfALongRunAreItsOwn() {
        var source = "/** A. */\n@Lasts(seconds = 99, full = 120)\nclass A {}";
        assertEquals(Optional.of(99), TestClass.seconds(source, false));
        assertEquals(Optional.of(120), TestClass.seconds(source, true));
        var other = source.replace(", full = 120", "");
        assertEquals(Optional.of(99), TestClass.seconds(other, true));
        assertEquals(Optional.empty(), TestClass.seconds("class A {}", true));
    }

    @Test
    void theLongestBegins() {
        var nothing = new TestClass("lab", "no.such.Class");
        var given = List.of(nothing, of(Dies.class), of(Ends.class));
        assertEquals(
                List.of(of(Ends.class), nothing, of(Dies.class)),
                Lanes.longestFirst(
                        given, Map.of(given.get(0), 5, given.get(1), 1, given.get(2), 99)::get));
    }

    /** What a class says of its time is read in its source, before anything is compiled. */
    @Test
    void eachSourceSaysHowLongItsTestsRunInOneWay() throws Exception {
        int said = 0;
        try (var files = Files.walk(Path.of("tests"))) {
            for (var file : files.filter(f -> f.toString().endsWith("Tests.java")).toList()) {
                var source = Files.readString(file);
                if (source.contains("\n@Lasts(")) {
                    assertTrue(TestClass.seconds(source, false).isPresent(), file.toString());
                    said++;
                }
            }
        }
        assertTrue(said > 20, said + " classes say it");
    }

    @Test
    void aJvmEndsWhenItsPipeDoes() throws Exception {
        var jvm = OwnJvm.start("stays", folder, Map.of());
        jvm.begin(of(Stays.class));
        while (!jvm.said().contains("here")) {
            assertTrue(jvm.runs(), jvm.said());
            LockSupport.parkNanos(5_000_000); // a loop without a pause would keep it from starting
        }
        jvm.end();
        assertEquals(1, jvm.awaitEnd());
        assertFalse(jvm.runs());
        assertTrue(Files.exists(folder.resolve("stays.log")));
    }
}
