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
import java.util.List;

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
    @Lasts(seconds = 1)
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

    @Test
    void eachClassIsPrintedInOnePieceAndTheSumsAreThoseOfAll() throws Exception {
        new Lanes(2, folder, report).run(List.of(of(Dies.class), of(Ends.class)));
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
        assertTrue(text.endsWith("\n1 passed, 2 failed, 1 skipped\n"), text);
    }

    @Test
    void theLongestBegins() {
        var nothing = new TestClass("lab", "no.such.Class");
        var given = List.of(nothing, of(Dies.class), of(Ends.class));
        assertEquals(List.of(of(Ends.class), nothing, of(Dies.class)), Lanes.longestFirst(given));
    }

    @Test
    void aJvmEndsWhenItsPipeDoes() throws Exception {
        var jvm = OwnJvm.start(of(Stays.class), folder);
        while (!jvm.said().contains("here")) {
            assertTrue(jvm.process().isAlive(), jvm.said());
            Thread.onSpinWait();
        }
        jvm.end();
        assertEquals(1, jvm.process().onExit().join().exitValue());
        assertEquals(List.of(), jvm.await().skips());
        assertTrue(jvm.await().failures().getFirst().contains("status 1"));
        assertTrue(Files.exists(folder.resolve(Stays.class.getName() + ".log")));
    }
}
