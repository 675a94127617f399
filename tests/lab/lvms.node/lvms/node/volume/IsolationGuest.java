package lvms.node.volume;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * While a device of one group hangs, is slow or fails, volumes of another group are made, mounted,
 * copied and removed as if nothing were. Runs inside a lab node; prints how long the slowest call
 * took beside that of an undisturbed run.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Safety({23, 24})
class IsolationGuest {
    private static final Path BELOW = Path.of("/dev/ubdb");
    private static final Path FRAIL = Path.of("/dev/mapper/frail");
    private static final long FIRST_SECTOR = 2048;
    private static final int ROUNDS = Boolean.getBoolean("lvms.full") ? 25 : 4;
    private static final Duration SETTLING = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final DeviceClasses CLASSES =
            new DeviceClasses(List.of(inGroup("sick"), inGroup("fine")), Map.of());

    private static Lvm lvm;
    private static GroupLedgers groups;
    private static VolumeOperations operations;
    private static Timed undisturbed;

    private static NodeDeviceClass inGroup(String vg) {
        return new NodeDeviceClass(
                vg,
                vg,
                false,
                new Thin("pool", 20),
                0,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    @BeforeAll
    static void open() throws Exception {
        sh("dmsetup create frail --table '%s'".formatted(table("linear", "")));
        var number = sh("dmsetup info -c --noheadings -o minor frail");
        Files.deleteIfExists(FRAIL);
        Files.createSymbolicLink(FRAIL, Path.of("/dev/dm-" + number));
        sh("vgcreate -q -y sick " + FRAIL + " && lvcreate -q -y -T -L 64M sick/pool");
        sh("vgcreate -q -y fine /dev/ubdc && lvcreate -q -y -T -L 512M fine/pool");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        groups = new GroupLedgers(lvm);
        operations = new VolumeOperations(groups);
        make("known", "sick");
        slowest(2); // starts workers and loads classes
        undisturbed = slowest(ROUNDS);
    }

    @AfterAll
    static void close() throws Exception {
        replace(table("linear", ""));
        lvm.close();
        sh("vgremove -q -y -f fine sick && dmsetup remove frail");
        Files.deleteIfExists(FRAIL);
    }

    /** It begins behind the place of a label, so that LVM finds its label once. */
    private static String table(String target, String rest) throws Exception {
        long sectors = Long.parseLong(sh("blockdev --getsz " + BELOW)) - FIRST_SECTOR;
        return "0 %d %s %s %d%s".formatted(sectors, target, BELOW, FIRST_SECTOR, rest);
    }

    private static void replace(String table) throws Exception {
        sh(
                "dmsetup suspend --noflush --nolockfs frail && dmsetup load frail --table '%s'"
                                .formatted(table)
                        + " && dmsetup resume frail");
    }

    private static LogicalVolume wanted(String name, String vg) {
        return LogicalVolume.of(
                Volumes.object(name, "16Mi")
                        .with(UUID.nameUUIDFromBytes(name.getBytes()).toString(), "metadata", "uid")
                        .with(vg, "spec", "deviceClass"));
    }

    private static LvName make(String name, String vg) throws Exception {
        return operations.make(NewVolume.of(wanted(name, vg), Optional.empty(), CLASSES)).name();
    }

    private static LvName copy(String name, LogicalVolume source) throws Exception {
        var wanted =
                LogicalVolume.of(
                        wanted(name, "fine")
                                .object()
                                .with(source.name(), "spec", "source")
                                .with("ro", "spec", "accessType"));
        var made =
                LogicalVolume.of(
                        Volumes.withStatus(source.object(), source.object().uid(), "16777216"));
        return operations
                .make(
                        NewVolume.of(
                                wanted, Optional.of(new NewVolume.Source(made, Set.of())), CLASSES))
                .name();
    }

    /** Returns the slowest call. */
    private static Timed slowest(int rounds) throws Exception {
        var times = new ArrayList<Timed>();
        for (int i = 0; i < rounds; i++) {
            var volume = timed(times, "creation", () -> make("volume", "fine"));
            timed(times, "mkfs", () -> sh("mkfs.ext4 -q /dev/" + volume));
            timed(times, "mount", () -> sh("mount /dev/" + volume + " /mnt && umount /mnt"));
            var snapshot =
                    timed(times, "snapshot", () -> copy("snapshot", wanted("volume", "fine")));
            timed(times, "report", () -> groups.fresh("fine").orElseThrow());
            timed(times, "removal", () -> remove(snapshot));
            timed(times, "removal", () -> remove(volume));
        }
        return times.stream().max(Comparator.comparingLong(Timed::millis)).orElseThrow();
    }

    private static boolean remove(LvName name) throws Exception {
        operations.remove(name, ErasurePolicy.NOTHING);
        return true;
    }

    /** How long one call took. */
    private record Timed(long millis, String call) {}

    private static <T> T timed(List<Timed> times, String name, Callable<T> call) throws Exception {
        long start = System.nanoTime();
        var result = call.call();
        times.add(new Timed((System.nanoTime() - start) / 1_000_000, name));
        return result;
    }

    private static <T> FutureTask<T> begun(Callable<T> call) {
        var task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static void measure(String what, Timed undisturbed) throws Exception {
        var rounds = begun(() -> slowest(ROUNDS));
        var slowest = rounds.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        System.out.printf(
                "isolation, %s: of %d calls %s, undisturbed %s: %s%n",
                what,
                7 * ROUNDS,
                slowest,
                undisturbed,
                slowest.millis() <= undisturbed.millis() * 1.2 + 100
                        ? "within 1.2 times and 100 ms"
                        : "MORE");
    }

    @Test
    void aDeviceThatHangs() throws Exception {
        sh("dmsetup suspend --noflush --nolockfs frail");
        var known = new LvName("sick", wanted("known", "sick").object().uid());
        var write = "dd if=/dev/zero of=/dev/%s bs=64k count=1 conv=fsync".formatted(known);
        var writing = begun(() -> sh(write));
        var change = begun(() -> make("hangs", "sick"));
        var reports = new ArrayList<FutureTask<?>>();
        for (int i = 0; i < 4; i++) {
            reports.add(begun(() -> new GroupLedgers(lvm).fresh("sick")));
            reports.add(begun(() -> lvm.groups().reports()));
        }
        var asked = begun(() -> DeviceMapper.system().thinPool(new LvName("sick", "pool")));
        Thread.sleep(SETTLING); // their start wants the node's one CPU
        slowest(1); // starts the worker that takes the place of those that hang
        measure("suspended", undisturbed);
        var fine = DeviceMapper.system().thinPool(new LvName("fine", "pool")).orElseThrow();
        assertEquals(0, fine.dataUse());
        assertFalse(change.isDone(), "the other group was to hang meanwhile");
        sh("dmsetup resume frail");
        change.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        writing.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        System.out.println("asked about the pool that hung: " + asked.state());
        remove(new LvName("sick", wanted("hangs", "sick").object().uid()));
    }

    /** Beside as many changes of the other group, which want the node's one CPU, too. */
    private static void measureBeside(String what, String table) throws Exception {
        var end = new AtomicBoolean();
        var change = begun(() -> changes(end));
        try {
            var undisturbed = slowest(ROUNDS);
            replace(table);
            measure(what, undisturbed);
            assertFalse(change.isDone(), "the other group was to be busy meanwhile");
        } finally {
            end.set(true);
            replace(table("linear", ""));
        }
        System.out.println("failed changes of the other group: " + change.get());
    }

    private static int changes(AtomicBoolean end) throws Exception {
        int failed = 0;
        while (!end.get()) {
            try {
                remove(make("busy", "sick"));
            } catch (LvmException e) {
                failed++;
            }
        }
        return failed;
    }

    @Test
    void aDeviceThatIsSlow() throws Exception {
        measureBeside("delayed by 200 ms", table("delay", " 200"));
    }

    @Test
    void aDeviceThatFailsNowAndThen() throws Exception {
        measureBeside("flakey", table("flakey", " 1 1"));
    }
}
