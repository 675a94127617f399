package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.command.LvmCommands;
import lvms.tests.lab.machine.GuestArchive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Operations on a node of the lab: arguments are the engine and the stories. */
final class OperationsGuest {
    static final String VG = "ops-vg";
    static final long MIB = 1L << 20;
    private static final int PIECE = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Something that comes true. */
    interface Truth {
        boolean holds() throws Exception;
    }

    private OperationsGuest() {}

    public static void main(String[] args) throws Exception {
        var options =
                GuestArchive.lvmOptions()
                        .withEngine(LvmOptions.Engine.valueOf(args[0]))
                        .withSystemDir(Files.createTempDirectory("lvm"), false, true);
        Slices.create();
        try (var all = LvmCommands.open(options)) {
            assertEquals(args[0], all.engine().kind().name(), all.engine().reason());
            for (var story : List.of(args).subList(1, args.length)) {
                long start = System.nanoTime();
                run(story, all);
                assertEquals(List.of(), all.groups().all());
                System.out.printf(
                        "%s by %s: %.1f s%n", story, args[0], (System.nanoTime() - start) / 1e9);
            }
        }
        Slices.remove();
    }

    private static void run(String story, Lvm all) throws Exception {
        switch (story) {
            case "groups" -> new LabGroups(all).run();
            case "moves" -> new LabMoves(all).run();
            case "pools" -> new LabPools(all).run();
            case "raid" -> new LabRaid(all).run();
            case "origin" -> new LabRaidOrigin(all).run();
            case "growth" -> new LabGrowth(all).run();
            case "vanished" -> new LabVanished(all).run();
            case "stuck" -> new LabStuckPool(all).run();
            case "leftovers" -> new LabLeftovers(all).run();
            case "law" -> new LabLaw(all).run();
            case "atonce" -> new LabAtOnce(all, LabAtOnce.NONE).run();
            case "atonce-thick" -> new LabAtOnce(all, LabAtOnce.ALL).run();
            case "atonce-mixed" -> new LabAtOnce(all, LabAtOnce.SOME).run();
            case "snapshots" -> new LabSnapshots(all).run();
            default -> throw new IllegalArgumentException(story);
        }
    }

    /** Makes the group on some slices, with a metadata area that leaves them most of their size. */
    static Lvm group(Lvm all, int slices) throws Exception {
        var devices = Slices.devices(0, slices);
        var lvm = all.limitedTo(DeviceScope.only(devices));
        lvm.groups().create(new NewVolumeGroup(VG, devices, Set.of("lab"), MIB, false));
        return lvm;
    }

    static LvName name(String lv) {
        return new LvName(VG, lv);
    }

    static LogicalVolume thick(Lvm lvm, String lv, long bytes) throws Exception {
        return lvm.volumes().createThick(new NewThickVolume(name(lv), bytes, Set.of()));
    }

    static void await(String what, Truth truth) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!truth.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never came true: " + what);
            }
            Thread.sleep(PAUSE);
        }
    }

    /** Writes bytes that the seed tells. */
    static void write(String lv, int seed, int bytes) throws IOException {
        var random = new Random(seed);
        try (var device = FileChannel.open(device(lv), StandardOpenOption.WRITE)) {
            for (int at = 0; at < bytes; at += PIECE) {
                device.write(ByteBuffer.wrap(next(random)));
            }
            device.force(true);
        }
    }

    static void assertContent(String lv, int seed, int bytes) throws IOException {
        var random = new Random(seed);
        try (var device = Files.newInputStream(device(lv))) {
            for (int at = 0; at < bytes; at += PIECE) {
                assertArrayEquals(next(random), device.readNBytes(PIECE), lv + " from " + at);
            }
        }
    }

    static void assertEmpty(String lv, int bytes) throws IOException {
        try (var device = Files.newInputStream(device(lv))) {
            assertArrayEquals(new byte[bytes], device.readNBytes(bytes), lv);
        }
    }

    private static byte[] next(Random random) {
        var content = new byte[PIECE];
        random.nextBytes(content);
        return content;
    }

    static Path device(String lv) {
        return Path.of("/dev", VG, lv);
    }
}
