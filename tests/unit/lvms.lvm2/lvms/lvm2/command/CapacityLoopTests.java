package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.LvmOptions;
import lvms.lvm2.system.Program;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The planner against real LVM on loop devices, for what needs no device-mapper: linear and striped
 * volumes. The lab has RAID and pools. {@code -Dlvms.layouts.seed} repeats a run.
 */
@Timeout(900)
class CapacityLoopTests {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int DISKS = 6;

    @TempDir Path folder;
    private final List<Path> devices = new ArrayList<>();

    @BeforeEach
    void loopDevices() throws Exception {
        assumeTrue(
                ProcessHandle.current().info().user().equals(Optional.of("root")),
                "loop devices need root");
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices here");
        assumeTrue(
                Files.exists(Path.of("/sbin/lvm")) || Files.exists(Path.of("/usr/sbin/lvm")),
                "lvm is not installed");
        for (int i = 0; i < DISKS; i++) {
            var file = folder.resolve("disk" + i);
            try (var image = new RandomAccessFile(file.toFile(), "rw")) {
                image.setLength(1L << 30);
            }
            var result = Program.of(DEADLINE, "losetup", "-f", "--show", file.toString()).run();
            assumeTrue(result.succeeded(), "losetup: " + result.stderr());
            devices.add(Path.of(result.stdout().strip()));
        }
    }

    @AfterEach
    void detach() throws Exception {
        for (var device : devices) {
            Program.of(DEADLINE, "losetup", "-d", device.toString()).run();
        }
    }

    @Test
    void exactlyThePlannedSizeCanBeMade() throws Exception {
        var options = LvmOptions.defaults().withSystemDir(folder.resolve("lvm"), false, false);
        var settings = CapacitySettings.ofThisRun();
        System.out.println(settings.repeat());
        try (var all = LvmCommands.open(options)) {
            var failures =
                    new CapacityTrials(all, devices, false)
                            .run(settings.seed(), settings.layouts());
            assertEquals("", String.join("\n\n", failures), settings.repeat());
        }
    }
}
