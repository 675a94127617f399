package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.system.Program;
import lvms.tests.lab.machine.GuestArchive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What runs on a node of the lab: arguments are the story, the engine and whose configuration. */
public final class LabGuest {
    public static final List<Path> DISKS = List.of(Path.of("/dev/ubdb"), Path.of("/dev/ubdc"));
    static final String VG = "lab-vg";

    private LabGuest() {}

    public static void main(String[] args) throws Exception {
        var options = options(LvmOptions.Engine.valueOf(args[1]), args[2]);
        try (var all = LvmCommands.open(options)) {
            System.out.println(args[0] + " by " + all.engine());
            assertEquals(args[1], all.engine().kind().name(), all.engine().reason());
            var lvm = all.limitedTo(DeviceScope.only(DISKS));
            switch (args[0]) {
                case "life" -> new LabLife(lvm).run();
                case "speed" -> new LabSpeed(lvm).run();
                default -> throw new IllegalArgumentException(args[0]);
            }
            assertEquals(List.of(), all.groups().all());
        }
    }

    private static LvmOptions options(LvmOptions.Engine engine, String configuration)
            throws Exception {
        var options = GuestArchive.lvmOptions().withEngine(engine);
        return switch (configuration) {
            case "own" ->
                    options.withSystemDir(folder(), false, true)
                            .withTimes(Duration.ofMinutes(1), Duration.ofSeconds(30));
            case "machine" -> options;
            case "host" -> options.withHost(1);
            default -> throw new IllegalArgumentException(configuration);
        };
    }

    /** A folder of ours, or the one that the lvm program gets by LVM_SYSTEM_DIR too. */
    private static Path folder() throws IOException {
        var shared = System.getenv("LVM_SYSTEM_DIR");
        return shared == null ? Files.createTempDirectory("lvm") : Path.of(shared);
    }

    public static Program.Result program(String... command) throws Exception {
        var result = Program.of(Duration.ofMinutes(1), command).run();
        assertTrue(result.succeeded(), List.of(command) + ": " + result);
        return result;
    }

    /** Makes the group and an empty pool of 512 MiB. */
    static LvName groupWithPool(Lvm lvm) throws Exception {
        lvm.groups().create(new NewVolumeGroup(VG, DISKS, Set.of("lab")));
        var pool = new LvName(VG, "pool");
        var request = new NewThinPool(pool, new PoolSize.Bytes(512L << 20));
        var made = lvm.pools().create(request);
        assertEquals(made, lvm.pools().create(request), "the same call again changes nothing");
        assertFalse(made.chunkSizeBytes() == 0 || made.metadataSizeBytes() == 0, made.toString());
        assertThrows(
                IllegalArgumentException.class,
                () -> lvm.pools().extend(Now.volume(lvm, pool), new PoolSize.PercentOfFree(50)));
        return pool;
    }
}
