package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Each operation of the library is killed at several of its moments; then {@code mend} and the same
 * call end it well, and nothing is left. Only with --full; {@code -Dlvms.cuts=N} cuts each so
 * often, {@code -Dlvms.seed=N} repeats a run, {@code -Dlvms.scenes=a,b} plays some.
 */
@Lasts(seconds = 600)
class HalfDoneLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(40);

    @TempDir Path folder;

    @Safety({1, 11})
    @Test
    @FullOnly("ten minutes; CutLabTests cuts in each run")
    void eachOperationThatIsCutIsDoneByTheSameCall() throws Exception {
        int cuts = Integer.getInteger("lvms.cuts", 6);
        long seed = Long.getLong("lvms.seed", System.nanoTime() % 1_000_000);
        System.out.println("seed " + seed);
        var arguments = new ArrayList<>(List.of("" + cuts, "" + seed));
        var scenes = System.getProperty("lvms.scenes", "");
        arguments.addAll(scenes.isEmpty() ? List.of() : List.of(scenes.split(",")));
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("half", List.of(Slices.diskBytes())));
            node.boot();
            var jvm = LabJvm.heap(128);
            var command = jvm.command(HalfDoneGuest.class, arguments.toArray(String[]::new));
            var result = node.run(command, DEADLINE);
            System.out.print(result.out());
            assertEquals(0, result.status(), result.out() + result.err());
        }
    }
}
