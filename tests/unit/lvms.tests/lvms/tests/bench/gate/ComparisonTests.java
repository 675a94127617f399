package lvms.tests.bench.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The gate is shut where a ratio is more than 25 % worse than recorded, or is not known. */
class ComparisonTests {
    @TempDir Path folder;

    /** Reads a record of lines whose columns are separated by semicolons. */
    private Recorded recorded(String... lines) throws Exception {
        return Recorded.read(write("recorded.tsv", lines));
    }

    private Path write(String name, String... lines) throws Exception {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, List.of(lines).stream().map(l -> l.replace(';', '\t')).toList());
    }

    private Run run(String... outcomes) throws Exception {
        write(Run.OUTCOMES, outcomes);
        return Run.read(folder);
    }

    /** What is to be said if one ratio of a group is this, and was that. */
    private Comparison compared(double now, String was) throws Exception {
        Ratios.of("lvm2").add("lvs / raw", now).write(folder);
        return Comparison.of(recorded("lvm2;lvs / raw;-;" + was), run("lvm2;ran;"));
    }

    @ParameterizedTest(name = "{0} after {1}")
    @CsvSource({"1.25, 1.00", "0.75, 0.6", "2.00, 1.60", "1.00, 1.00", "0.01, 1.00", "62.5, 50"})
    void aQuarterWorseIsAllowedAndBetterIsNeverAFailure(double now, String was) throws Exception {
        var comparison = compared(now, was);
        assertEquals(List.of(), comparison.failures());
        assertEquals(Set.of(), comparison.worse());
    }

    @ParameterizedTest(name = "{0} after {1} is {2} % worse")
    @CsvSource({"1.26, 1.00, 26", "0.756, 0.6, 26", "0.751, 0.6, 26", "3.00, 1.00, 200"})
    void moreThanAQuarterWorseIsAFailure(double now, String was, int percent) throws Exception {
        var comparison = compared(now, was);
        assertEquals(List.of("lvm2: lvs / raw is " + percent + " % worse"), comparison.failures());
        assertEquals(Set.of("lvm2"), comparison.worse());
    }

    @Test
    void aMissedGoalIsSaidAndIsNoFailure() throws Exception {
        Ratios.of("cluster").add("claim / raw", 1.2).add("pod / floor", 1).write(folder);
        var recorded = recorded("cluster;claim / raw;1.0;1.1", "cluster;pod / floor;1.0;0.9");
        var comparison = Comparison.of(recorded, run("cluster;ran;"));
        assertEquals(List.of(), comparison.failures());
        var text = comparison.text();
        assertTrue(text.contains("1.20 |      1.1 |    1.0 | misses its goal"), text);
        assertTrue(text.endsWith("\n1 of 2 goals are missed\n"), text);
    }

    @Test
    void whatIsNotRecordedIsAFailure() throws Exception {
        Ratios.of("lvm2").add("lvs / raw", 0.5).add("vgs / raw", 0.5).write(folder);
        var comparison = Comparison.of(recorded("lvm2;lvs / raw;-;0.5"), run("lvm2;ran;"));
        assertEquals(List.of("lvm2: vgs / raw is not recorded"), comparison.failures());
    }

    @Test
    void whatABenchmarkDoesNotHandOverAnyMoreIsAFailure() throws Exception {
        Ratios.of("lvm2").add("lvs / raw", 0.5).write(folder);
        var recorded = recorded("lvm2;lvs / raw;-;0.5", "lvm2;vgs / raw;-;0.5", "gone;x / y;-;0.5");
        assertEquals(
                List.of("lvm2: vgs / raw is not in this run", "gone: x / y is not in this run"),
                Comparison.of(recorded, run("lvm2;ran;")).failures());
    }

    @Test
    void whatThisMachineCannotRunIsSkippedAndSaid() throws Exception {
        var comparison =
                Comparison.of(recorded("lvm2;lvs / raw;0.1;0.5"), run("lvm2;skipped;no loops"));
        assertEquals(List.of(), comparison.failures());
        var text = comparison.text();
        assertTrue(text.contains(" | skipped "), text);
        assertTrue(text.contains("\nlvm2 was skipped: no loops\n"), text);
        assertTrue(text.endsWith("\n0 of 0 goals are missed\n"), text);
    }

    @Test
    void aBenchmarkThatDidNotRunIsOneFailureWithItsReason() throws Exception {
        var recorded = recorded("lvm2;lvs / raw;-;0.5", "lvm2;vgs / raw;-;0.5");
        var comparison = Comparison.of(recorded, run("lvm2;failed;see out/bench/lvm2.log"));
        assertEquals(List.of("lvm2 did not run: see out/bench/lvm2.log"), comparison.failures());
        assertTrue(comparison.text().contains(" | did not run "), comparison::text);
    }

    @Test
    void aBenchmarkThatHandsNothingOverDidNotRun() throws Exception {
        assertEquals(
                List.of("lvm2 did not run: it ended well and wrote no ratios"),
                Comparison.of(recorded(), run("lvm2;ran;")).failures());
    }

    /** Whatever else the machine does makes ours slower, not faster. */
    @Test
    void ofTwoRunsTheBetterOneCounts() throws Exception {
        Ratios.of("lvm2").add("lvs / raw", 0.5).add("vgs / raw", 0.9).write(folder);
        Ratios.of("lvm2")
                .add("lvs / raw", 0.9)
                .add("vgs / raw", 0.5)
                .write(folder.resolve(Run.FIRST));
        var recorded = recorded("lvm2;lvs / raw;-;0.5", "lvm2;vgs / raw;-;0.5");
        assertEquals(List.of(), Comparison.of(recorded, run("lvm2;ran;")).failures());
    }

    @Test
    void ofTwoOutcomesTheLastOneCounts() throws Exception {
        Ratios.of("lvm2").add("lvs / raw", 0.5).write(folder.resolve(Run.FIRST));
        assertEquals(
                List.of("lvm2 did not run: it broke"),
                Comparison.of(recorded(), run("lvm2;ran;", "lvm2;failed;it broke")).failures());
    }

    @Test
    void aRatioThatIsNoneIsRefused() {
        var ratios = Ratios.of("lvm2").add("lvs / raw", 1);
        for (double none : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> ratios.add("vgs / raw", none));
        }
        assertThrows(IllegalArgumentException.class, () -> ratios.add("lvs / raw", 1));
    }
}
