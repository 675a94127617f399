package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.Program;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * 1,000 commands, and 10,000 with --full, leave server and workers with the memory and the files
 * that they had after the first fifth; then the library is idle and starts no process. On a loop
 * device, without activation.
 */
class SoakTests {
    private static final boolean FULL = Boolean.getBoolean("lvms.full");

    @TempDir Path folder;

    private Path loopDevice() throws Exception {
        assumeTrue(
                ProcessHandle.current().info().user().equals(Optional.of("root")),
                "loop devices need root");
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices here");
        var file = folder.resolve("disk");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(256L << 20);
        }
        var made =
                Program.of(Duration.ofSeconds(30), "losetup", "-f", "--show", file.toString())
                        .run();
        assumeTrue(made.succeeded(), "losetup: " + made.stderr());
        return Path.of(made.stdout().strip());
    }

    @Test
    void thousandsOfCommandsLeaveNothingBehind() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/sbin/lvm")) || Files.exists(Path.of("/usr/sbin/lvm")),
                "lvm is not installed");
        var device = loopDevice();
        try {
            var words =
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin/java").toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            SoakProgram.class.getName(),
                            FULL ? "10000" : "1000",
                            folder.resolve("lvm").toString(),
                            device.toString());
            var soaked = new Program(words, Duration.ofMinutes(10), 1 << 20, Map.of()).run();
            System.out.print(soaked.stdout());
            assertEquals(0, soaked.status(), soaked.stdout() + soaked.stderr());
            assertTrue(soaked.stdout().contains("none was started"), soaked.stdout());
        } finally {
            Program.of(Duration.ofSeconds(30), "losetup", "-d", device.toString()).run();
        }
    }
}
