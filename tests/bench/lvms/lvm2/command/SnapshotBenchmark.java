package lvms.lvm2.command;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** Runs {@link SnapshotBench} on a node of the lab. */
public final class SnapshotBenchmark {
    private static final long DISK_BYTES = 1L << 30;
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private SnapshotBenchmark() {}

    /** Prints the table. */
    public static void main(String[] args) throws Exception {
        var rounds = List.of(args).contains("--quick") ? "1" : "5";
        try (var lab = Lab.inFolder(Files.createTempDirectory("lvms-bench"))) {
            var node = lab.add(NodeOptions.named("bench", List.of(DISK_BYTES)));
            node.boot();
            LabJvm.heap(256).run(node, DEADLINE, SnapshotBench.class, rounds, "/dev/ubdb");
        }
    }
}
