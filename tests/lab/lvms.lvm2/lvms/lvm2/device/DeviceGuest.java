package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions.Engine;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.PoolSize;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.DeviceMapperEvents.Event;
import lvms.lvm2.device.DeviceMapperEvents.Kind;
import lvms.lvm2.system.Program;
import lvms.tests.lab.machine.GuestArchive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What runs on a node of the lab. */
final class DeviceGuest {
    private static final Path SHARE = Path.of("/run/lab/share");
    private static final String VG = "lab-vg";
    private static final LvName POOL = new LvName(VG, "pool");
    private static final LvName MIRROR = new LvName(VG, "mirror");
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final long MIB = 1L << 20;

    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Path> disks;
    private final Path spare;

    private DeviceGuest(List<Path> disks) {
        this.disks = disks.subList(0, 2);
        this.spare = disks.get(2);
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("listen")) {
            listen(args[1], args[2]);
        } else {
            new DeviceGuest(Arrays.stream(args).skip(1).map(Path::of).toList()).volumes();
        }
    }

    /** Leaves a file for each thing that happens to a disk, until it is gone. */
    private static void listen(String who, String disk) throws Exception {
        var gone = new CountDownLatch(1);
        try (var _ =
                DeviceEvents.start(
                        event -> {
                            switch (event) {
                                case DeviceEvent.Appeared(var u) when u.kernelName().equals(disk) ->
                                        note(who + "-Appeared");
                                case DeviceEvent.Vanished(var u)
                                        when u.kernelName().equals(disk) -> {
                                    note(who + "-Vanished");
                                    gone.countDown();
                                }
                                default -> {}
                            }
                        })) {
            note(who + "-ready");
            assertTrue(gone.await(3, TimeUnit.MINUTES));
        }
    }

    private static void note(String what) {
        try {
            Files.createFile(SHARE.resolve(what));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void program(String... command) throws Exception {
        var result = Program.of(Duration.ofMinutes(1), command).run();
        assertTrue(result.succeeded(), List.of(command) + ": " + result);
    }

    private Event await(String what, Predicate<Event> wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            var event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertTrue(event != null, "no event: " + what);
            if (wanted.test(event)) {
                return event;
            }
        }
    }

    private Event await(Kind kind, String device) throws Exception {
        return await(
                kind + " " + device, e -> e.kind() == kind && (e.name() + " ").contains(device));
    }

    private void volumes() throws Exception {
        try (var listening = DeviceMapperEvents.start(events::add)) {
            assertTrue(!listening.hearing(), "the module is not loaded yet");
            program("modprobe", "dm-mod");
            await("the module", event -> event.kind() == Kind.LOST);
            assertTrue(listening.hearing());
            heldByDeviceMapper();
            legOfMultipath(spare);
            aDiskThatGivesNoAnswer(spare);
            var legs = List.of(node("leg0"), node("leg1"));
            var options =
                    GuestArchive.lvmOptions()
                            .withEngine(Engine.EXEC)
                            .withSystemDir(Files.createTempDirectory("lvm"), false, true);
            try (var all = LvmCommands.open(options)) {
                var lvm = all.limitedTo(DeviceScope.only(legs));
                lvm.groups().create(new NewVolumeGroup(VG, legs, Set.of()));
                aPoolThatRunsFull(lvm);
                aMirrorThatLosesALeg(lvm);
            }
        }
    }

    private void heldByDeviceMapper() throws Exception {
        for (int i = 0; i < disks.size(); i++) {
            var examiner = DeviceExaminer.system();
            assertTrue(examiner.examine(disks.get(i)).orElseThrow().free());
            program("dmsetup", "create", "leg" + i, "--table", table(i, "linear"));
            await(Kind.APPEARED, "leg" + i);
            var held = examiner.examine(disks.get(i)).orElseThrow();
            assertEquals(List.of(new Obstacle.Children(held.device().holders())), held.obstacles());
            assertEquals(1, held.device().holders().size());
            assertThrows(IOException.class, () -> DeviceWipe.wipe(held.device()));
        }
    }

    /** Without multipathd: a map of one path, with the UUID that it would give. */
    private void legOfMultipath(Path disk) throws Exception {
        program("modprobe", "-a", "dm-multipath", "dm-round-robin");
        long sectors = BlockDevices.sizeBytes(disk) / 512;
        var table = "0 %d multipath 0 0 1 1 round-robin 0 1 1 %s 100".formatted(sectors, disk);
        program("dmsetup", "create", "mpatha", "--uuid", "mpath-1", "--table", table);
        var leg = DeviceExaminer.system().examine(disk).orElseThrow();
        var whole = DeviceExaminer.system().examine(node("mpatha")).orElseThrow();
        assertEquals(DeviceType.MULTIPATH, whole.device().type());
        assertEquals(
                List.of(new Obstacle.Children(List.of(whole.device().kernelName()))),
                leg.obstacles());
        assertTrue(whole.free(), whole.obstacles().toString());
        program("dmsetup", "remove", "mpatha");
        await(Kind.VANISHED, "mpatha");
        assertTrue(DeviceExaminer.system().examine(disk).orElseThrow().free());
    }

    /** It is not suspended itself, so nothing tells beforehand; whoever lists all disks goes on. */
    private void aDiskThatGivesNoAnswer(Path disk) throws Exception {
        long sectors = BlockDevices.sizeBytes(disk) / 512;
        var table = "0 %d linear %s 0";
        program("dmsetup", "create", "below", "--table", table.formatted(sectors, disk));
        var sick = table.formatted(sectors, node("below"));
        program("dmsetup", "create", "sick", "--table", sick);
        var path = node("sick");
        program("dmsetup", "suspend", "--noflush", "--nolockfs", "below");
        try {
            var examiner = new DeviceExaminer(BlockDevices.system(), new Questions(PATIENCE));
            var found =
                    CompletableFuture.supplyAsync(
                            () -> unreadable(examiner), Thread::startVirtualThread);
            assertEquals(List.of(path), found.get(1, TimeUnit.MINUTES));
        } finally {
            program("dmsetup", "resume", "below");
        }
        program("dmsetup", "remove", "--retry", "sick");
        program("dmsetup", "remove", "--retry", "below");
        await(Kind.VANISHED, "below");
    }

    private static List<Path> unreadable(DeviceExaminer examiner) {
        try {
            return examiner.all(device -> !device.suspended()).stream()
                    .filter(e -> e.obstacles().stream().anyMatch(DeviceGuest::isLate))
                    .map(e -> e.device().path())
                    .toList();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isLate(Obstacle obstacle) {
        return obstacle instanceof Obstacle.Unreadable(var why) && why.startsWith("no answer");
    }

    /** The kernel's own name: without udev nobody need have made another. */
    private static Path node(String name) throws Exception {
        var number = DeviceMapper.system().state(name).orElseThrow().number();
        return BlockDevices.system().find(number).orElseThrow().path();
    }

    private String table(int leg, String target) throws Exception {
        long sectors = BlockDevices.sizeBytes(disks.get(leg)) / 512;
        var over = target.equals("error") ? "" : " " + disks.get(leg) + " 0";
        return "0 " + sectors + " " + target + over;
    }

    private void aPoolThatRunsFull(Lvm lvm) throws Exception {
        lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(32 * MIB)));
        var volume = new LvName(VG, "thin");
        lvm.volumes().createThin(new NewThinVolume(volume, "pool", 128 * MIB, Set.of()));
        events.clear();
        var path = "of=" + node(Grammar.deviceMapperName(volume));
        var writer =
                new ProcessBuilder("dd", "if=/dev/zero", path, "bs=1M", "count=64", "oflag=direct")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        long begun = System.nanoTime();
        ThinPoolUsage usage;
        do {
            await(Kind.EVENT, "pool"); // the first may come just before the kernel changes the mode
            usage = DeviceMapper.system().thinPool(POOL).orElseThrow();
        } while (usage.healthy());
        System.out.printf(
                "a full pool was told after %d ms: %s%n",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun), usage);
        assertEquals(1.0, usage.dataUse());
        lvm.pools().extend(Now.volume(lvm, POOL), new PoolSize.Bytes(96 * MIB));
        assertTrue(writer.waitFor(60, TimeUnit.SECONDS), "the writer goes on with more space");
        lvm.pools().removeWithVolumes(Now.volume(lvm, POOL));
        await(Kind.VANISHED, "thin");
    }

    private void aMirrorThatLosesALeg(Lvm lvm) throws Exception {
        var raid1 = LvcreateOptions.of(List.of("--type", "raid1", "-m", "1"));
        events.clear();
        lvm.volumes()
                .createThick(
                        new NewThickVolume(
                                MIRROR,
                                64 * MIB,
                                Set.of(),
                                OptionalInt.empty(),
                                OptionalLong.empty(),
                                raid1));
        while (!DeviceMapper.system().raid(MIRROR).orElseThrow().healthy()) {
            await(Kind.EVENT, "mirror"); // the end of the synchronization is one
        }
        System.out.println("in sync: " + DeviceMapper.system().raid(MIRROR).orElseThrow());
        events.clear(); // before the leg dies: the kernel may write to it by itself
        program("dmsetup", "load", "leg1", "--table", table(1, "error"));
        program("dmsetup", "resume", "leg1");
        var path = "of=" + node(Grammar.deviceMapperName(MIRROR));
        long begun = System.nanoTime();
        program("dd", "if=/dev/zero", path, "bs=1M", "count=1", "oflag=direct");
        RaidState state;
        do {
            await(Kind.EVENT, "mirror"); // the first may still be the end of the synchronization
            state = DeviceMapper.system().raid(MIRROR).orElseThrow();
        } while (state.failedLegs() == 0);
        System.out.printf(
                "a dead leg was told after %d ms: %s%n",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun), state);
        assertEquals(1, state.failedLegs(), state.toString());
    }
}
