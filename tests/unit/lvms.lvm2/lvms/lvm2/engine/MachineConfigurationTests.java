package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A worker does without asynchronous I/O, and all else is as the machine's configuration says,
 * whatever it consists of and whenever it is changed. LVM's own word on what is in force is
 * lvmconfig, here of the real library in a worker and of the program beside it.
 */
@Timeout(120)
@LinuxOnly
class MachineConfigurationTests {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final String USE_AIO = "use_aio=";
    private static final String VG = "lvms-configured";

    /** Where LVM looks in the worker: the test's folder, where the variable leads. */
    @TempDir Path folder;

    private Path machines;
    private Path device;
    private WorkerEngine engine;

    @BeforeEach
    void machine() throws Exception {
        var root = ProcessHandle.current().info().user().equals(Optional.of("root"));
        assumeTrue(root, "mounting needs root");
        assumeTrue(
                Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64")
                        .anyMatch(f -> Files.exists(Path.of("/lib", f, "liblvm2cmd.so.2.03"))),
                "liblvm2cmd.so.2.03 is not installed");
        machines = Files.createDirectory(folder.resolve("lvm"));
        var installed = Path.of("/etc/lvm/lvm.conf");
        if (Files.exists(installed)) {
            Files.copy(installed, machines.resolve("lvm.conf"));
        } else {
            Files.writeString(machines.resolve("lvm.conf"), "# nothing\n");
        }
    }

    @AfterEach
    void end() throws Exception {
        if (engine != null) {
            engine.close();
        }
        if (device != null) {
            Program.of(DEADLINE, "losetup", "-d", device.toString()).run();
        }
    }

    private void write(String name, String text) throws IOException {
        var fresh = folder.resolve("fresh");
        Files.writeString(fresh, text);
        Files.move(
                fresh,
                machines.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private void append(String name, String text) throws IOException {
        var file = machines.resolve(name);
        write(name, (Files.exists(file) ? Files.readString(file) : "") + text);
    }

    private void start() throws Exception {
        start(
                Path.of(System.getProperty("java.home")),
                OptionalLong.empty(),
                Map.of("LC_ALL", "C", "LVM_SYSTEM_DIR", machines.toString()));
    }

    private void start(Path javaHome, OptionalLong hostPid, Map<String, String> environment)
            throws Exception {
        var launch =
                new WorkerLaunch(javaHome, hostPid, environment, Optional.empty(), folder, true);
        engine = WorkerEngine.start(launch, new NotedExec(), 1, Duration.ofMinutes(1));
    }

    /** Starts a worker where a script of a shell has changed the mounts or the rights before. */
    private void startAfter(String script) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin/java");
        var home = folder.resolve("home");
        var program = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(program, "#!/bin/sh\n" + script.formatted(machines, java) + '\n');
        assertTrue(program.toFile().setExecutable(true));
        start(home, OptionalLong.empty(), Map.of("LC_ALL", "C"));
    }

    private String worker(Command.Effect effect, String... words) throws Exception {
        var reply = engine.run(new Command(effect, List.of(words)));
        assertEquals(0, reply.status(), reply.toString());
        return reply.stdout();
    }

    private String inForce(String setting) throws Exception {
        return worker(Command.Effect.READ, "lvmconfig", "--typeconfig", "full", setting).strip();
    }

    /** The settings with their sections, in no order, without the one that may differ. */
    private static Set<String> settings(String dump) {
        var settings = new TreeSet<String>();
        var section = "";
        for (var line : dump.lines().map(String::strip).toList()) {
            if (line.endsWith("{")) {
                section = line.replace("{", "").strip() + '/';
            } else if (!line.startsWith(USE_AIO)) {
                settings.add(section + line);
            }
        }
        return settings;
    }

    private String program() throws Exception {
        var words = List.of("lvm", "lvmconfig", "--typeconfig", "full");
        var environment = Map.of("LC_ALL", "C", "LVM_SYSTEM_DIR", machines.toString());
        var result = new Program(words, DEADLINE, 1 << 20, environment).run();
        assertTrue(result.succeeded(), result.toString());
        return result.stdout();
    }

    private String worker() throws Exception {
        return worker(Command.Effect.READ, "lvmconfig", "--typeconfig", "full");
    }

    private void assertAllElseIsTheMachines() throws Exception {
        var ours = worker();
        assertTrue(ours.contains(USE_AIO + "0"), () -> "asynchronous: " + engine.status());
        assertEquals(
                settings(program()),
                settings(ours.replaceAll("/proc/self/fd/\\d+", machines.toString())));
    }

    @Test
    void anUntouchedConfigurationStaysInForceButForUseAio() throws Exception {
        assertTrue(program().contains(USE_AIO + "1"), "LVM's default");
        start();
        assertEquals(Optional.empty(), engine.status().asynchronous());
        assertAllElseIsTheMachines();
    }

    @Test
    void settingsOfEveryFileStayInForce() throws Exception {
        append("lvm.conf", "tags { special { } }\nbackup { backup_dir=\"/var/lvms-backups\" }");
        write(
                "lvmlocal.conf",
                "local { system_id=\"here\" }\nglobal/system_id_source=\"lvmlocal\"");
        write("lvm_special.conf", "global { units=\"b\" }\n");
        Files.createDirectory(machines.resolve("profile"));
        write("profile/mine.profile", "report/aligned=0\n");
        start();
        assertAllElseIsTheMachines();
        assertEquals("backup_dir=\"/var/lvms-backups\"", inForce("backup/backup_dir"));
        assertEquals("system_id=\"here\"", inForce("local/system_id"));
        assertEquals("units=\"b\"", inForce("global/units"));
        var profiled =
                worker(Command.Effect.READ, "lvmconfig", "--profile", "mine", "report/aligned");
        assertEquals("aligned=0", profiled.strip());
    }

    /** Who wants asynchronous I/O in spite of what it costs says so there. */
    @Test
    void useAioOfLvmlocalConfCounts() throws Exception {
        write("lvmlocal.conf", "global/use_aio=1\n");
        start();
        assertEquals("use_aio=1", inForce("global/use_aio"));
    }

    @Test
    void whatIsChangedWhileTheWorkerRunsComesIntoForce() throws Exception {
        append("lvm.conf", "global/units=\"b\"\n");
        start();
        assertEquals("units=\"b\"", inForce("global/units"));
        var text = Files.readString(machines.resolve("lvm.conf"));
        write("lvm.conf", text.replace("global/units=\"b\"", "global/units=\"k\""));
        assertEquals("units=\"k\"", inForce("global/units"), "renamed over it");
        Files.writeString(machines.resolve("lvm.conf"), text);
        assertEquals("units=\"b\"", inForce("global/units"), "written in place");
        write("lvmlocal.conf", "global/units=\"m\"\n");
        assertEquals("units=\"m\"", inForce("global/units"), "a file that is new");
        write("lvmlocal.conf", "global/units=\"t\"\n");
        assertEquals("units=\"t\"", inForce("global/units"));
        Files.delete(machines.resolve("lvmlocal.conf"));
        write("lvm.conf", "tags { late { } }\n");
        write("lvm_late.conf", "global/units=\"g\"\n");
        assertEquals("units=\"g\"", inForce("global/units"), "a file for a tag");
        assertAllElseIsTheMachines();
    }

    @Test
    void aConfigurationThatLvmCannotReadFailsAsBefore() throws Exception {
        start();
        write("lvm.conf", "global {\n  units = [\n");
        var reply = engine.run(new Command(Command.Effect.READ, List.of("lvmconfig")));
        assertFalse(reply.status() == 0, reply.toString());
        assertTrue(reply.stderr().contains("(line 3)"), reply.toString());
        write("lvm.conf", "global/units=\"b\"\n");
        assertEquals("units=\"b\"", inForce("global/units"));
    }

    /** The devices file says which devices LVM may touch, backups what a group was like. */
    @Test
    void theDevicesFileAndBackupsAreTheMachines() throws Exception {
        loopDevice();
        write("lvm.conf", "devices/use_devicesfile=1\nglobal/activation=0\n" + only(device));
        start();
        var name = device.toString();
        worker(Command.Effect.CHANGE, "lvmdevices", "--adddev", name);
        var listed = machines.resolve("devices/system.devices");
        assertTrue(Files.readString(listed).contains(name));
        worker(Command.Effect.CHANGE, "pvcreate", "-y", name);
        worker(Command.Effect.CHANGE, "vgcreate", "-y", VG, name);
        assertTrue(Files.exists(machines.resolve("backup").resolve(VG)), "backup");
        worker(Command.Effect.CHANGE, "vgchange", "--addtag", "x", VG);
        try (var archives = Files.list(machines.resolve("archive"))) {
            assertTrue(archives.anyMatch(f -> f.getFileName().toString().startsWith(VG)));
        }
        Files.writeString(listed, "VERSION=1.1.9\n");
        assertFalse(worker(Command.Effect.READ, "vgs").contains(VG), "not listed any more");
    }

    private static String only(Path device) {
        return "devices/filter=[\"a|^%s$|\",\"r|.*|\"]\ndevices/hints=\"none\"\n".formatted(device);
    }

    private void loopDevice() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices here");
        var file = folder.resolve("disk");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(64 << 20);
        }
        var result = Program.of(DEADLINE, "losetup", "-f", "--show", file.toString()).run();
        assumeTrue(result.succeeded(), "losetup: " + result.stderr());
        device = Path.of(result.stdout().strip());
    }

    private static final String MOUNTED =
            "exec unshare -m sh -c 'mount --bind %1$s /etc/lvm && mount -o remount,bind,ro /etc/lvm"
                    + " && exec %2$s \"$@\"' sh \"$@\"";

    @Test
    void aFolderThatNobodyCanWriteIsEnough() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/etc/lvm")), "there is no /etc/lvm");
        write("lvmlocal.conf", "global/units=\"b\"\n");
        startAfter(MOUNTED);
        assertEquals("use_aio=0", inForce("global/use_aio"));
        assertEquals("units=\"b\"", inForce("global/units"));
        assertTrue(worker().contains("archive_dir=\"/etc/lvm/archive\""), "LVM's default");
        assertFalse(Files.exists(machines.resolve("devices")), "nothing was written");
    }

    @Test
    void aMachineWithoutConfigurationHasLvmsDefaults() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/etc/lvm")), "there is no /etc/lvm");
        startAfter(
                "exec unshare -m sh -c 'mount -t tmpfs none /etc && exec %2$s \"$@\"' sh \"$@\"");
        assertEquals("use_aio=0", inForce("global/use_aio"));
        Files.writeString(machines.resolve("lvm.conf"), "global/use_aio=1\n");
        assertEquals(
                settings(program().replace(machines.toString(), "/etc/lvm")),
                settings(worker().replaceAll("/proc/self/fd/\\d+", "/etc/lvm")));
    }

    /**
     * As from a pod: the worker enters the namespaces of the host, where LVM's files are others.
     */
    @Test
    void theHostsConfigurationCountsForAWorkerThatEntersTheHost() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/etc/lvm")), "there is no /etc/lvm");
        append("lvm.conf", "backup/retain_min=77\n");
        var mounted = "mount --bind " + machines + " /etc/lvm && echo mounted && exec sleep 1000";
        var host = new ProcessBuilder("unshare", "-m", "sh", "-c", mounted).start();
        try {
            assertEquals("mounted", host.inputReader().readLine());
            start(
                    Path.of(System.getProperty("java.home")),
                    OptionalLong.of(host.pid()),
                    Map.of("LC_ALL", "C"));
            assertEquals("use_aio=0", inForce("global/use_aio"));
            assertEquals("retain_min=77", inForce("backup/retain_min"));
            append("lvm.conf", "backup/retain_min=78\n");
            assertEquals("retain_min=78", inForce("backup/retain_min"));
        } finally {
            host.destroyForcibly();
        }
    }

    @Test
    void withoutTheRightToMountTheMachinesConfigurationCountsAndTheStatusSaysSo() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
        startAfter("exec setpriv --bounding-set=-sys_admin %2$s \"$@\"");
        assertTrue(engine.status().asynchronous().orElseThrow().contains("fsopen"));
        assertTrue(engine.status().reason().contains("fsopen"), engine.status().toString());
        assertEquals(0, engine.run(new Command(Command.Effect.READ, List.of("version"))).status());
    }

    /**
     * dmeventd may be started by LVM, and stays: our folder must not be its folder. Here LVM starts
     * modprobe, since it misses a target of the device-mapper.
     */
    @Test
    void noProgramThatLvmStartsSeesTheFolder() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/sbin/modprobe")), "modprobe is not installed");
        var seen = folder.resolve("seen");
        var modprobe = folder.resolve("modprobe");
        Files.writeString(modprobe, "#!/bin/sh\nenv >" + seen + "\nexit 1\n");
        assertTrue(modprobe.toFile().setExecutable(true));
        startAfter(
                "exec unshare -m sh -c 'mount --bind "
                        + modprobe
                        + " /sbin/modprobe && mount --bind %1$s /etc/lvm && exec %2$s \"$@\"' sh"
                        + " \"$@\"");
        engine.run(
                new Command(
                        Command.Effect.READ,
                        List.of("lvcreate", "--type", "vdo", "-L", "10g", "-n", "x", "no-such")));
        assumeTrue(Files.exists(seen), "LVM had no reason to start modprobe");
        assertFalse(Files.readString(seen).contains("LVM_SYSTEM_DIR"), Files.readString(seen));
        assertEquals(Optional.empty(), engine.status().asynchronous());
    }
}
