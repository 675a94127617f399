package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.Program;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

/** A loop device on a sparse file, and contents that programs or this class write on it. */
final class LoopDisk implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long SIZE = 512L << 20;

    private final Path file;
    private final Path device;

    private LoopDisk(Path file, Path device) {
        this.file = file;
        this.device = device;
    }

    static LoopDisk create(Path folder, String... options) throws Exception {
        assumeTrue(
                ProcessHandle.current().info().user().equals(Optional.of("root")),
                "loop devices need root");
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices here");
        var file = Files.createTempFile(folder, "disk", ".img");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(SIZE);
        }
        return over(file, options);
    }

    /** A loop device on a file or on another device. */
    static LoopDisk over(Path file, String... options) throws Exception {
        var words = new ArrayList<>(List.of("losetup", "-f", "--show"));
        words.addAll(List.of(options));
        words.add(file.toString());
        var result = Program.of(DEADLINE, words.toArray(String[]::new)).run();
        assumeTrue(result.succeeded(), "losetup: " + result.stderr());
        return new LoopDisk(file, Path.of(result.stdout().strip()));
    }

    Path device() {
        return device;
    }

    Path file() {
        return file;
    }

    /** Runs a program whose last word is the device. */
    void run(String... command) throws Exception {
        assumeTrue(
                List.of("/sbin", "/usr/sbin", "/bin", "/usr/bin").stream()
                        .anyMatch(f -> Files.isExecutable(Path.of(f, command[0]))),
                command[0] + " is not installed");
        var words = new ArrayList<>(Arrays.asList(command));
        words.add(device.toString());
        var result = Program.of(DEADLINE, words.toArray(String[]::new)).run();
        assertTrue(result.succeeded(), words + ": " + result);
    }

    /** Makes the content of this name. */
    void put(String content) throws Exception {
        switch (content) {
            case "ext4" -> run("mkfs.ext4", "-q");
            case "xfs" -> run("mkfs.xfs", "-q", "-f");
            case "btrfs" -> run("mkfs.btrfs", "-q", "-f");
            case "swap" -> run("mkswap");
            case "LVM2_member" ->
                    run(
                            "lvm",
                            "pvcreate",
                            "-q",
                            "--driverloaded",
                            "n",
                            "--config",
                            "global/use_aio=0 devices/use_devicesfile=0 devices/filter=[\"a|^"
                                    + device
                                    + "$|\",\"r|.*|\"]");
            case "crypto_LUKS" -> write(0, "LUKS\u00ba\u00be\0\1");
            case "linux_raid_member" -> md();
            case "zfs_member" -> zfs();
            case "dos" -> dos();
            case "gpt" -> gpt();
            case "ext4+btrfs" -> {
                run("mkfs.ext4", "-q");
                write(0x10040, "_BHRfS_M");
            }
            default -> throw new IllegalArgumentException(content);
        }
    }

    private void write(long at, String latin1) throws IOException {
        write(at, latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void write(long at, byte[] bytes) throws IOException {
        try (var disk = new RandomAccessFile(device.toFile(), "rw")) {
            disk.seek(at);
            disk.write(bytes);
            disk.getFD().sync();
        }
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@code struct mdp_superblock_1}, version 1.2: 4 KiB from the start. */
    private void md() throws IOException {
        var superblock = buffer(256);
        superblock.putInt(0, 0xa92b4efc).putInt(4, 1).put(16, (byte) 7);
        superblock.putLong(144, 8); // super_offset, in sectors
        int sum = 0;
        long total = 0;
        for (int at = 0; at < 256; at += 4) {
            total += Integer.toUnsignedLong(superblock.getInt(at));
        }
        sum = (int) ((total & 0xffffffffL) + (total >>> 32));
        superblock.putInt(216, sum);
        write(4096, superblock.array());
    }

    /** Some uberblocks of the first two labels. */
    private void zfs() throws IOException {
        var uberblock = buffer(1024).putLong(0, 0x00bab10cL).putLong(8, 5000);
        for (long label = 0; label <= 256 << 10; label += 256 << 10) {
            for (int i = 0; i < 8; i++) {
                write(label + (128 << 10) + i * 1024L, uberblock.array());
            }
        }
    }

    private void dos() throws IOException {
        write(446, new byte[] {0, 0, 2, 0, (byte) 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0});
        write(510, new byte[] {0x55, (byte) 0xaa});
    }

    private void gpt() throws IOException {
        var protective = buffer(512);
        protective.put(446 + 4, (byte) 0xee).putInt(446 + 8, 1).putInt(446 + 12, 0x7ffff);
        protective.put(510, (byte) 0x55).put(511, (byte) 0xaa);
        write(0, protective.array());
        var entries = buffer(128 * 128);
        var header = buffer(512);
        header.put(0, "EFI PART".getBytes(StandardCharsets.US_ASCII)).putInt(8, 0x10000);
        header.putInt(12, 92).putLong(24, 1).putLong(32, SIZE / 512 - 1).putLong(40, 34);
        header.putLong(48, SIZE / 512 - 34).putLong(56, 1).putLong(64, 2).putLong(72, 2);
        header.putInt(80, 128).putInt(84, 128).putInt(88, crc(entries.array(), 128 * 128));
        header.putInt(16, crc(header.array(), 92));
        write(512, header.array());
        write(1024, entries.array());
    }

    private static int crc(byte[] bytes, int length) {
        var crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        try {
            Program.of(DEADLINE, "losetup", "-d", device.toString()).run();
        } catch (TimeoutException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
