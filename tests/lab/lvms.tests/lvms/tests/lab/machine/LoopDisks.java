package lvms.tests.lab.machine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Loop devices of one test, and an LVM that sees no others. They are detached when it is closed.
 * Nothing else of the machine is looked at.
 */
public final class LoopDisks implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final Path folder;
    private final List<Path> loops = new ArrayList<>();

    public LoopDisks(Path folder) {
        this.folder = folder;
    }

    /** Whether this machine lets us make loop devices at all. */
    public static boolean possible() {
        try {
            return Files.isWritable(Path.of("/dev/loop-control"))
                    && Program.of(DEADLINE, "losetup", "--find").run().succeeded();
        } catch (IOException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A blank disk. */
    public Path add(long bytes) throws IOException, InterruptedException {
        return add(bytes, new byte[0]);
    }

    /** A disk with one primary partition in an MBR. */
    public Path addPartitioned(long bytes) throws IOException, InterruptedException {
        var sector = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);
        sector.put(446 + 4, (byte) 0x83); // type: Linux
        sector.putInt(446 + 8, 2048); // first sector
        sector.putInt(446 + 12, 16384); // sectors
        sector.putShort(510, (short) 0xaa55);
        return add(bytes, sector.array());
    }

    private Path add(long bytes, byte[] start) throws IOException, InterruptedException {
        var image = folder.resolve("disk" + loops.size() + ".img");
        try (var channel =
                FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.position(bytes - 1);
            channel.write(ByteBuffer.wrap(new byte[1]));
            channel.write(ByteBuffer.wrap(start), 0);
        }
        var loop =
                Path.of(run("losetup", "--find", "--show", "--partscan", image.toString()).strip());
        loops.add(loop);
        return loop;
    }

    /** Has a loop device that somebody else made. */
    public void take(Path loop) {
        loops.add(loop);
    }

    /** Leaves it to whoever made it. */
    public void forget(Path loop) {
        loops.remove(loop);
    }

    /** Puts another disk, with the same content, in the place of this one. */
    public void swap(Path loop) throws IOException, InterruptedException {
        var image = image(loop);
        run("losetup", "--detach", loop.toString());
        run("losetup", loop.toString(), image);
    }

    /** Gives a disk another size, as a storage system does below a running machine. */
    public void resize(Path loop, long bytes) throws IOException, InterruptedException {
        run("truncate", "--size=" + bytes, image(loop));
        run("losetup", "--set-capacity", loop.toString());
    }

    /** Has two disks come back under each other's names. */
    public void exchange(Path one, Path other) throws IOException, InterruptedException {
        var images = new ArrayList<String>();
        for (var loop : List.of(other, one)) {
            images.add(image(loop));
        }
        for (var loop : List.of(one, other)) {
            run("losetup", "--detach", loop.toString());
            run("losetup", loop.toString(), images.removeFirst());
        }
    }

    private static String image(Path loop) throws IOException, InterruptedException {
        return run("losetup", "--noheadings", "--output", "BACK-FILE", loop.toString()).strip();
    }

    public List<Path> all() {
        return List.copyOf(loops);
    }

    /** Only our loop devices, and partitions on them. */
    public Predicate<BlockDevice> visible() {
        return device ->
                loops.contains(device.path())
                        || device.parents().stream()
                                .anyMatch(parent -> loops.contains(Path.of("/dev", parent)));
    }

    /** Whether volumes can be active here; without, LVM only manages metadata. */
    public static boolean deviceMapper() throws IOException {
        return DeviceMapper.system().available();
    }

    /** LVM with a configuration of its own. */
    public Lvm lvm() throws LvmException, IOException, InterruptedException {
        return lvmWithout(Set.of());
    }

    /** The same on a day on which some of the disks have not come yet. */
    public Lvm lvmWithout(Set<Path> hidden) throws LvmException, IOException, InterruptedException {
        var seen = loops.stream().filter(loop -> !hidden.contains(loop)).toList();
        var options =
                LvmOptions.defaults()
                        .withSystemDir(folder.resolve("lvm"), false, deviceMapper())
                        .withEngine(LvmOptions.Engine.EXEC);
        return LvmCommands.open(options).limitedTo(DeviceScope.only(seen));
    }

    public static String run(String... command) throws IOException, InterruptedException {
        try {
            var result = Program.of(DEADLINE, command).run();
            assertTrue(result.succeeded(), () -> String.join(" ", command) + ": " + result);
            return result.stdout();
        } catch (TimeoutException e) {
            throw new IOException(e);
        }
    }

    /** Checksum of everything on the device. */
    public static String checksum(Path device) throws IOException {
        try (var in = Files.newInputStream(device)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 20];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    @Override
    public void close() {
        for (var loop : loops) {
            try {
                run("losetup", "--detach", loop.toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
