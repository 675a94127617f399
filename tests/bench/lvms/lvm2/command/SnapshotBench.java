package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.tests.lab.machine.GuestArchive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures what a write to a thick volume costs under a snapshot, beside the same writes to the
 * same volume without one, on the machine where it runs. Arguments: rounds; a device.
 */
final class SnapshotBench {
    private static final String VG = "lvms-bench";
    private static final LvName VOLUME = new LvName(VG, "data");
    private static final LvName SNAPSHOT = new LvName(VG, "data-snapshot");
    private static final long BYTES = 128L << 20;
    private static final List<Integer> BLOCKS = List.of(4 << 10, 64 << 10, 1 << 20);

    private final Lvm lvm;
    private final int rounds;

    private SnapshotBench(Lvm lvm, int rounds) {
        this.lvm = lvm;
        this.rounds = rounds;
    }

    public static void main(String[] args) throws Exception {
        try (var lvm = LvmCommands.open(GuestArchive.lvmOptions())) {
            lvm.groups().create(new NewVolumeGroup(VG, List.of(Path.of(args[1])), Set.of()));
            lvm.volumes().createThick(new NewThickVolume(VOLUME, BYTES, Set.of()));
            new SnapshotBench(lvm, Integer.parseInt(args[0])).run();
            lvm.volumes().remove(Now.volume(lvm, VOLUME));
            lvm.groups().remove(Now.group(lvm, VG));
        }
    }

    private void run() throws Exception {
        System.out.println(
                "| blocks of | without, MiB/s | first write, MiB/s | again, MiB/s | ratio |");
        System.out.println("| --- | --- | --- | --- | --- |");
        write(BLOCKS.getLast());
        for (int block : BLOCKS) {
            row(block);
        }
    }

    /** Each round has all three, so what else the machine does counts for all of them. */
    private void row(int block) throws Exception {
        var without = new double[rounds];
        var first = new double[rounds];
        var again = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            without[round] = write(block);
            lvm.snapshots()
                    .createThick(
                            new NewThickSnapshot(
                                    SNAPSHOT, VOLUME.lv(), 2 * BYTES, false, Set.of()));
            first[round] = write(block);
            again[round] = write(block);
            lvm.volumes().remove(Now.volume(lvm, SNAPSHOT));
        }
        System.out.printf(
                "| %d KiB | %.0f | %.0f | %.0f | %.1f |%n",
                block >> 10,
                median(without),
                median(first),
                median(again),
                median(without) / median(first));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** Writes each block once, in no order; returns MiB in a second, the flush included. */
    private static double write(int block) throws IOException {
        var order = IntStream.range(0, (int) (BYTES / block)).boxed().collect(Collectors.toList());
        Collections.shuffle(order, new Random(block));
        var content = ByteBuffer.allocateDirect(block);
        var device = Path.of("/dev", VG, VOLUME.lv());
        long begin = System.nanoTime();
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            for (int number : order) {
                content.clear();
                while (content.hasRemaining()) {
                    channel.write(content, (long) number * block + content.position());
                }
            }
            channel.force(true);
        }
        return BYTES / 1048576.0 / ((System.nanoTime() - begin) / 1e9);
    }
}
