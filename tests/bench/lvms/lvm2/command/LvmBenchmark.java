package lvms.lvm2.command;

import lvms.lvm2.system.Program;
import lvms.tests.bench.gate.Ratios;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Runs {@link LvmBench} on this machine, on a loop device and without a device-mapper, and on a
 * node of the lab with one. Arguments: {@code --quick} leaves out the thousand volumes, {@code
 * --machine} the node.
 */
public final class LvmBenchmark {
    private static final long DISK_BYTES = 16L << 30;
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final List<String> HANDED_OVER =
            List.of(
                    "lvs of 10 volumes",
                    "create of 10 volumes",
                    "remove of 10 volumes",
                    "lvs of 100 volumes");

    private LvmBenchmark() {}

    /** Prints the tables. */
    public static void main(String[] args) throws Exception {
        var options = List.of(args);
        boolean quick = options.contains("--quick");
        var numbers = quick ? "10,100" : "10,100,1000";
        var runs = quick ? "4" : "8";
        var folder = Files.createTempDirectory("lvms-bench");
        System.out.println("On this machine, metadata only:\n");
        machine(folder, numbers, runs);
        if (!options.contains("--machine")) {
            System.out.println("\nOn a node of the lab, with active volumes:\n");
            node(folder, quick ? "3" : "5");
        }
    }

    private static void machine(Path folder, String numbers, String runs) throws Exception {
        var disk = folder.resolve("disk");
        try (var image = new RandomAccessFile(disk.toFile(), "rw")) {
            image.setLength(DISK_BYTES);
        }
        var device = run("losetup", "-f", "--show", disk.toString()).strip();
        try {
            handOver(LvmBench.measure("metadata", numbers, runs, device));
        } finally {
            run("losetup", "-d", device);
            Files.delete(disk);
        }
    }

    /** Those beside a pause, and those of workers that wait as the machine is set, say no more. */
    private static void handOver(Map<String, BenchRow> rows) throws IOException {
        var ratios = Ratios.of("lvm2");
        for (var setting : List.of("use_aio=0", "use_aio=1")) {
            for (var call : HANDED_OVER) {
                var row = rows.get(setting + ", " + call);
                ratios.add(setting + ", " + call + " / raw", row.workerOverRaw());
                ratios.add(setting + ", " + call + " / exec", row.workerOverExec());
            }
        }
        ratios.write();
    }

    private static String run(String... command)
            throws IOException, TimeoutException, InterruptedException {
        var result = Program.of(Duration.ofMinutes(1), command).run();
        if (!result.succeeded()) {
            throw new IOException(List.of(command) + ": " + result);
        }
        return result.stdout();
    }

    /** A thousand active volumes take longer to be made there than all the rest. */
    private static void node(Path folder, String runs) throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("bench", List.of(DISK_BYTES)));
            node.boot();
            var jvm = LabJvm.heap(128);
            var words = jvm.command(LvmBench.class, "active", "10,100", runs, "/dev/ubdb");
            var result = node.run(words, DEADLINE);
            System.out.print(result.out());
            if (!result.succeeded()) {
                throw new IOException(result.err());
            }
        }
    }
}
