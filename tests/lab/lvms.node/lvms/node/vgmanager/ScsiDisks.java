package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.Program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * SCSI disks of a node's kernel, which can be pulled out while they are in use. Each keeps what was
 * written to it.
 *
 * @param paths links that name each disk wherever it is plugged in
 */
record ScsiDisks(List<String> paths) {
    /** Makes the disks; once in the life of a node. */
    static ScsiDisks load(int count, int sizeMib) throws Exception {
        program(
                "modprobe",
                "scsi_debug",
                "per_host_store=1",
                "add_host=" + count,
                "dev_size_mb=" + sizeMib);
        var paths = IntStream.range(0, count).mapToObj(ScsiDisks::path).toList();
        for (var path : paths) {
            await(path, () -> Files.exists(Path.of(path)));
        }
        return new ScsiDisks(paths);
    }

    private static String path(int disk) {
        return "/dev/disk/by-id/wwn-0x%016x".formatted(0x3333333000000000L + 2000L * (disk + 1));
    }

    List<String> first(int count) {
        return paths.subList(0, count);
    }

    /** Pulls a disk out, in use or not. */
    void pull(int disk) throws Exception {
        var path = Path.of(paths.get(disk));
        var name = path.toRealPath().getFileName().toString();
        Files.writeString(Path.of("/sys/block", name, "device/delete"), "1");
        await(path + " gone", () -> Files.notExists(path));
    }

    void plug(int disk) throws Exception {
        Files.writeString(Path.of("/sys/class/scsi_host/host" + disk + "/scan"), "- - -");
        await(paths.get(disk), () -> Files.exists(Path.of(paths.get(disk))));
        program("udevadm", "settle");
    }

    /** Forgets what is on a disk. */
    void blank(int disk) throws Exception {
        program("wipefs", "--all", "--force", paths.get(disk));
        program("udevadm", "settle");
    }

    static String program(String... command) throws Exception {
        var result = Program.of(Duration.ofMinutes(1), command).run();
        assertTrue(result.succeeded(), List.of(command) + ": " + result);
        return result.stdout();
    }

    static void await(String what, Callable<Boolean> state) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!state.call()) {
            if (System.nanoTime() > end) {
                throw new IOException("not within 30 s: " + what);
            }
            Thread.sleep(50);
        }
    }
}
