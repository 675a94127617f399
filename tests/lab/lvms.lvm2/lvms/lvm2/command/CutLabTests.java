package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * Changes that are cut by SIGKILL, of the worker and of the whole server, lose nothing, leave
 * nothing unknown behind, and end well when they are made again. 50 cuts on one node; with --full
 * 500 on two. {@code -Dlvms.cuts=N} and {@code -Dlvms.seed=N} repeat a run.
 */
@Safety({11, 17, 47})
@Lasts(seconds = 100)
class CutLabTests {
    private static final long GIB = 1L << 30;
    private static final boolean FULL = Boolean.getBoolean("lvms.full");
    private static final int NODES = FULL ? 2 : 1;

    @TempDir Path folder;

    @Test
    void cutChangesEndWellWhenTheyAreMadeAgain() throws Exception {
        int cuts = Integer.getInteger("lvms.cuts", FULL ? 500 : 50);
        long seed = Long.getLong("lvms.seed", System.nanoTime() % 1_000_000);
        try (var lab = Lab.inFolder(folder);
                var threads = Executors.newFixedThreadPool(NODES)) {
            var jvm = LabJvm.heap(64);
            var runs = new ArrayList<Callable<Void>>();
            for (int i = 0; i < NODES; i++) {
                var node = lab.add(NodeOptions.named("cut" + i, List.of(GIB, GIB)));
                node.boot();
                long own = seed + i;
                var command = jvm.command(CutGuest.class, "" + cuts / NODES, "" + own);
                runs.add(() -> run(node, command));
            }
            for (var run : threads.invokeAll(runs)) {
                run.get();
            }
        }
    }

    private static Void run(Node node, List<String> command) throws Exception {
        var result = node.run(command, Duration.ofMinutes(FULL ? 30 : 10));
        System.out.print(result.out());
        assertEquals(0, result.status(), result.out() + result.err());
        return null;
    }
}
