package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LogicalVolumes.Tuning.ReadAhead;
import lvms.lvm2.LvmOptions.Engine;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceClaim;
import lvms.lvm2.device.DeviceType;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.system.Program;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Real LVM on loop devices, by both engines, without activation: everything that is metadata. The
 * lab has the rest.
 */
@Timeout(120)
class LoopDeviceTests {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final long MIB = 1L << 20;
    private static final String VG = "lvms-loop-test";
    private static final LvName VOLUME = new LvName(VG, "data");

    @TempDir Path folder;
    private final List<Path> devices = new ArrayList<>();
    private Lvm all;
    private Lvm lvm;

    @BeforeEach
    void loopDevices() throws Exception {
        assumeTrue(
                ProcessHandle.current().info().user().equals(Optional.of("root")),
                "loop devices need root");
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices here");
        assumeTrue(
                Files.exists(Path.of("/sbin/lvm")) || Files.exists(Path.of("/usr/sbin/lvm")),
                "lvm is not installed");
        for (int i = 0; i < 2; i++) {
            var file = folder.resolve("disk" + i);
            try (var image = new RandomAccessFile(file.toFile(), "rw")) {
                image.setLength(256 * MIB);
            }
            var result = Program.of(DEADLINE, "losetup", "-f", "--show", file.toString()).run();
            assumeTrue(result.succeeded(), "losetup: " + result.stderr());
            devices.add(Path.of(result.stdout().strip()));
        }
    }

    /** Others use LVM on this machine too, and have its global lock for a moment. */
    private void open(Engine engine) throws Exception {
        open(engine, DEADLINE);
    }

    private void open(Engine engine, Duration lockWait) throws Exception {
        var options =
                LvmOptions.defaults()
                        .withEngine(engine)
                        .withTimes(Duration.ofMinutes(1), lockWait)
                        .withSystemDir(folder.resolve("lvm"), false, false);
        all = LvmCommands.open(options);
        lvm = all.limitedTo(DeviceScope.only(devices));
    }

    private VolumeGroup group() throws Exception {
        return lvm.groups().create(new NewVolumeGroup(VG, devices, Set.of("lvms")));
    }

    @AfterEach
    void detach() throws Exception {
        if (all != null) {
            all.close();
        }
        for (var device : devices) {
            Program.of(DEADLINE, "losetup", "-d", device.toString()).run();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aGroupIsMadeOnceAndRemovedOnce(Engine engine) throws Exception {
        open(engine);
        var group = group();
        assertEquals(2, group.physicalVolumes());
        assertEquals(Set.of("lvms"), group.tags());
        assertTrue(group.metadataSizeBytes() >= 16 * MIB, group.toString());
        assertEquals(group, group(), "the same call again changes nothing");
        assertEquals(2, lvm.physicalVolumes().all().size());
        lvm.groups().remove(Now.group(lvm, VG));
        lvm.groups().remove(Now.group(lvm, VG));
        assertEquals(Optional.empty(), lvm.groups().find(VG));
        assertEquals(new Signatures.Blank(), Signatures.probe(devices.get(0)));
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void anotherGroupOfThisNameIsInTheWay(Engine engine) throws Exception {
        open(engine);
        group();
        var other = new NewVolumeGroup(VG, devices, Set.of("somebody-else"));
        assertThrows(LvmException.AlreadyExists.class, () -> lvm.groups().create(other));
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aDeviceWithASignatureIsTakenOnlyWithLeave(Engine engine) throws Exception {
        open(engine);
        Program.of(DEADLINE, "mkswap", devices.get(0).toString()).run();
        var request = new NewVolumeGroup(VG, devices, Set.of());
        assertThrows(LvmException.InUse.class, () -> lvm.groups().create(request));
        var wiping = new NewVolumeGroup(VG, devices, Set.of(), 16 * MIB, true);
        assertEquals(2, lvm.groups().create(wiping).physicalVolumes());
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void devicesComeAndGoAndTheNewOneHasALargeMetadataAreaToo(Engine engine) throws Exception {
        open(engine);
        lvm.groups().create(new NewVolumeGroup(VG, devices.subList(0, 1), Set.of()));
        var grown = lvm.groups().extend(Now.group(lvm, VG), devices, false);
        assertEquals(2, grown.physicalVolumes());
        assertTrue(grown.metadataSizeBytes() >= 16 * MIB, grown.toString());
        assertEquals(grown, lvm.groups().extend(Now.group(lvm, VG), devices, false));
        var second = devices.subList(1, 2);
        assertEquals(
                1,
                lvm.groups()
                        .reduce(Now.group(lvm, VG), Now.devices(lvm, second))
                        .physicalVolumes());
        assertEquals(
                1,
                lvm.groups()
                        .reduce(Now.group(lvm, VG), Now.devices(lvm, second))
                        .physicalVolumes());
        assertThrows(
                LvmException.InUse.class,
                () ->
                        lvm.groups()
                                .reduce(
                                        Now.group(lvm, VG),
                                        Now.devices(lvm, devices.subList(0, 1))));
        assertEquals(new Signatures.Blank(), Signatures.probe(second.getFirst()));
    }

    /** A change of something that was read before. */
    private interface Change {
        void make() throws Exception;
    }

    private static void refused(List<Change> changes) {
        for (var change : changes) {
            assertThrows(LvmException.Replaced.class, change::make);
        }
    }

    @Safety(10)
    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aVolumeThatWasGivenTheNameOfAnotherIsLeftAlone(Engine engine) throws Exception {
        open(engine);
        group();
        var request = new NewThickVolume(VOLUME, 8 * MIB, Set.of());
        var old = lvm.volumes().createThick(request).identity();
        lvm.volumes().remove(old);
        lvm.volumes().createThick(request);
        var other = lvm.volumes().find(VOLUME).orElseThrow();
        refused(
                List.of(
                        () -> lvm.volumes().extend(old, 16 * MIB),
                        () -> lvm.volumes().reduce(new VolumeReduction(old, 4 * MIB)),
                        () -> lvm.volumes().rename(old, "renamed"),
                        () -> lvm.volumes().remove(old),
                        () -> lvm.volumes().changePermission(old, false),
                        () -> lvm.volumes().changeTags(old, Set.of("x"), Set.of()),
                        () -> lvm.volumes().tune(old, tuning(0, AllocationPolicy.CLING)),
                        () -> lvm.volumes().wipeSignatures(old),
                        () -> lvm.snapshots().merge(old),
                        () -> lvm.raid().changeCopies(old, 2),
                        () -> lvm.pools().removeWithVolumes(old)));
        lvm.volumes().deactivate(old);
        assertEquals(
                Optional.of(other.uuid()), lvm.volumes().find(VOLUME).map(LogicalVolume::uuid));
        lvm.volumes().remove(other.identity());
        lvm.volumes().remove(other.identity());
    }

    /** LVM makes a pool from a plain volume; whether a creation was killed, only the mark tells. */
    @Safety(11)
    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void onlyWhatAKilledCreationOfAPoolLeftMakesWayForThePool(Engine engine) throws Exception {
        open(engine);
        group();
        var mark = ThinPools.UNFINISHED;
        var size = new PoolSize.Bytes(32 * MIB);
        var none = OptionalLong.empty();
        var request = new NewThinPool(VOLUME, size, none, none, Set.of("ours"));
        for (var tags : List.of(Set.of("ours"), Set.of(mark))) {
            var plain =
                    lvm.volumes().createThick(new NewThickVolume(VOLUME, 8 * MIB, tags)).identity();
            assertThrows(
                    LvmException.AlreadyExists.class, () -> lvm.pools().create(request), "" + tags);
            assertEquals(plain, lvm.volumes().find(VOLUME).orElseThrow().identity());
            lvm.volumes().remove(plain);
        }
        var left = new NewThickVolume(VOLUME, 8 * MIB, Set.of("ours", mark));
        lvm.volumes().createThick(left);
        assertThrows( // a pool needs a device-mapper; that it has room is seen
                LvmException.Unavailable.class, () -> lvm.pools().create(request));
        assertEquals(Optional.empty(), lvm.volumes().find(VOLUME));
        lvm.pools().removeWithVolumes(lvm.volumes().createThick(left).identity());
        assertEquals(Optional.empty(), lvm.volumes().find(VOLUME));
    }

    @Safety(10)
    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aGroupThatWasGivenTheNameOfAnotherIsLeftAlone(Engine engine) throws Exception {
        open(engine);
        var old = group().identity();
        var disks = Now.devices(lvm, devices);
        lvm.groups().remove(old);
        var one = devices.subList(0, 1);
        var other = lvm.groups().create(new NewVolumeGroup(VG, one, Set.of("other")));
        refused(
                List.of(
                        () -> lvm.groups().extend(old, devices, false),
                        () -> lvm.groups().reduce(old, disks),
                        () -> lvm.groups().reduce(other.identity(), disks),
                        () -> lvm.groups().restoreMissing(other.identity(), disks),
                        () -> lvm.groups().changeTags(old, Set.of("x"), Set.of()),
                        () -> lvm.groups().deactivate(old),
                        () -> lvm.groups().adopt(old, Set.of("x")),
                        () -> lvm.groups().exportGroup(old),
                        () -> lvm.groups().removeMissing(old),
                        () -> lvm.groups().forgetOutdated(old),
                        () -> lvm.groups().remove(old),
                        () -> lvm.physicalVolumes().resize(disks.getFirst()),
                        () -> lvm.physicalVolumes().remove(disks.getFirst())));
        assertEquals(Optional.of(other), lvm.groups().find(VG));
    }

    /**
     * A program in front of lvm: what another one does, once, right before a command of ours. It
     * waits for the locks of whoever else uses LVM on this machine; ours fails if it fails.
     */
    private void openBehind(String command, String... meanwhile) throws Exception {
        var script = folder.resolve("lvm.sh");
        var seen = devices.stream().map(Path::toString).collect(Collectors.joining(","));
        var other =
                Stream.of(meanwhile)
                        .map(words -> "lvm " + words + " --config \"$own\" --devices " + seen)
                        .collect(Collectors.joining(" && "));
        Files.writeString(
                script,
                """
                #!/bin/sh
                own='global/activation=0 global/wait_for_locks=1 report/output_format="basic"'
                own="$own log/report_command_log=0"
                if [ "$1" = %s ] && [ ! -e %s ]; then { %s; } >%2$s 2>&1 || exit 9; fi
                exec lvm "$@"
                """
                        .formatted(command, folder.resolve("meanwhile.log"), other));
        var options =
                LvmOptions.defaults()
                        .withSystemDir(folder.resolve("lvm"), false, false)
                        .withExecCommand(List.of("sh", script.toString()));
        all = LvmCommands.open(options);
        lvm = all.limitedTo(DeviceScope.only(devices));
    }

    @Safety(10)
    @Test
    void aGroupThatGetsAVolumeBeforeItsRemovalStays() throws Exception {
        openBehind("vgremove", "lvcreate -y -an -Zn -Wn -l 1 -n late " + VG);
        var group = group().identity();
        assertThrows(LvmException.InUse.class, () -> lvm.groups().remove(group));
        assertEquals(1, lvm.volumes().all(VG).size());
    }

    @Safety(10)
    @Test
    void aVolumeThatIsReplacedBeforeItsRemovalStays() throws Exception {
        openBehind(
                "lvremove",
                "lvrename " + VG + " data old",
                "lvcreate -y -an -Zn -Wn -l 2 -n data " + VG);
        group();
        var volume = lvm.volumes().createThick(new NewThickVolume(VOLUME, 4 * MIB, Set.of()));
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().remove(volume.identity()));
        assertEquals(8 * MIB, lvm.volumes().find(VOLUME).orElseThrow().sizeBytes());
    }

    @Safety(12)
    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aRemovalCanBeUndone(Engine engine) throws Exception {
        open(engine);
        group();
        var request = new NewThickVolume(VOLUME, 8 * MIB, Set.of("precious"));
        lvm.volumes().createThick(request);
        var volume = lvm.volumes().find(VOLUME).orElseThrow();
        lvm.volumes().remove(volume.identity());
        var archives = folder.resolve("lvm/archive");
        Path last;
        try (var files = Files.list(archives)) {
            last = files.max(Comparator.naturalOrder()).orElseThrow();
        }
        assertTrue(Files.readString(last).contains("precious"));
        var restored =
                Program.of(
                                DEADLINE,
                                "env",
                                "LVM_SYSTEM_DIR=" + folder.resolve("lvm"),
                                "lvm",
                                "vgcfgrestore",
                                "--config",
                                "global/wait_for_locks=1", // others use LVM here too
                                "-f",
                                last.toString(),
                                VG)
                        .run();
        assertTrue(restored.succeeded(), restored.stderr());
        assertEquals(Optional.of(volume), lvm.volumes().find(VOLUME));
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aVolumeIsMadeGrownRenamedAndRemoved(Engine engine) throws Exception {
        open(engine);
        group();
        var request = new NewThickVolume(VOLUME, 5 * MIB, Set.of("owner=a"));
        var made = lvm.volumes().createThick(request);
        assertEquals(8 * MIB, made.sizeBytes(), "whole extents");
        assertEquals(Set.of("owner=a"), made.tags());
        assertEquals(made.uuid(), lvm.volumes().createThick(request).uuid());
        var other = new NewThickVolume(VOLUME, 5 * MIB, Set.of("owner=b"));
        assertThrows(LvmException.AlreadyExists.class, () -> lvm.volumes().createThick(other));
        assertEquals(16 * MIB, lvm.volumes().extend(Now.volume(lvm, VOLUME), 13 * MIB).sizeBytes());
        assertEquals(
                16 * MIB,
                lvm.volumes().extend(Now.volume(lvm, VOLUME), 4 * MIB).sizeBytes(),
                "never smaller");
        assertFalse(lvm.volumes().changePermission(Now.volume(lvm, VOLUME), false).writable());
        assertTrue(lvm.volumes().changePermission(Now.volume(lvm, VOLUME), true).writable());
        tuned();
        var tags =
                lvm.volumes()
                        .changeTags(Now.volume(lvm, VOLUME), Set.of("x"), Set.of("owner=a", "none"))
                        .tags();
        assertEquals(Set.of("x"), tags);
        assertThrows(LvmException.InUse.class, () -> lvm.groups().remove(Now.group(lvm, VG)));
        var before = Now.volume(lvm, VOLUME);
        var renamed = lvm.volumes().rename(before, "other");
        assertEquals(renamed, lvm.volumes().rename(before, "other"));
        assertEquals(Optional.empty(), lvm.volumes().find(VOLUME));
        var segments = lvm.groups().report(VG).orElseThrow().segments();
        assertEquals("linear", segments.getFirst().type());
        lvm.volumes().remove(renamed.identity());
        lvm.volumes().remove(renamed.identity());
        assertEquals(List.of(), lvm.volumes().all(VG));
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aReportHasEveryExtentInTheOrderInWhichLvmAllocates(Engine engine) throws Exception {
        open(engine);
        var backwards = devices.reversed();
        lvm.groups().create(new NewVolumeGroup(VG, backwards, Set.of()));
        lvm.volumes().createThick(new NewThickVolume(VOLUME, 8 * MIB, Set.of()));
        var striped = new LvName(VG, "striped");
        lvm.volumes().createThick(striped(striped, 8 * MIB));
        var report = lvm.groups().report(VG).orElseThrow();
        assertEquals(AllocationPolicy.NORMAL, report.group().allocation());
        var uuids =
                report.physicalVolumes().stream()
                        .collect(Collectors.toMap(pv -> Path.of(pv.device()), pv -> pv.uuid()));
        var first = uuids.get(backwards.getFirst());
        var second = uuids.get(backwards.getLast());
        long extents = report.group().sizeBytes() / report.group().extentSizeBytes() / 2;
        var none = Optional.<String>empty();
        var name = Optional.of(striped.lv());
        assertEquals(
                List.of(
                        new PhysicalSegment(first, 0, 2, Optional.of("data"), "linear", 0, 0),
                        new PhysicalSegment(first, 2, 1, name, "striped", 0, 0),
                        new PhysicalSegment(first, 3, extents - 3, none, "free", 0, 0),
                        new PhysicalSegment(second, 0, 1, name, "striped", 0, 1),
                        new PhysicalSegment(second, 1, extents - 1, none, "free", 0, 0)),
                report.physicalSegments());
    }

    private static NewThickVolume striped(LvName name, long sizeBytes) {
        return new NewThickVolume(
                name,
                sizeBytes,
                Set.of(),
                OptionalInt.of(2),
                OptionalLong.empty(),
                LvcreateOptions.NONE);
    }

    /** The real LVM, but asked for columns of other names and answering with ours. */
    @Test
    void anLvmThatLacksColumnsIsReadWithoutThem() throws Exception {
        open(Engine.WORKER);
        group();
        lvm.volumes().createThick(new NewThickVolume(VOLUME, 4 * MIB, Set.of("t")));
        var older = folder.resolve("lvm-older");
        Files.writeString(
                older,
                """
                #!/bin/bash
                words=("${@//vdo_used_size/gone_1}")
                lvm "${words[@]//vg_lock_type/gone_2}" |
                    sed 's/gone_1/vdo_used_size/g; s/gone_2/vg_lock_type/g'
                exit "${PIPESTATUS[0]}"
                """);
        assertTrue(older.toFile().setExecutable(true));
        var options =
                LvmOptions.defaults()
                        .withSystemDir(folder.resolve("lvm"), false, false)
                        .withExecCommand(List.of(older.toString()));
        try (var other = LvmCommands.open(options)) {
            var read = other.limitedTo(DeviceScope.only(devices));
            assertEquals(lvm.groups().report(VG), read.groups().report(VG));
            assertEquals(lvm.volumes().find(VOLUME), read.volumes().find(VOLUME));
            assertEquals(lvm.groups().all(), read.groups().all());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void failuresAreOfTheRightKind(Engine engine) throws Exception {
        open(engine);
        group();
        var huge = new NewThickVolume(VOLUME, 1L << 40, Set.of());
        assertThrows(LvmException.OutOfSpace.class, () -> lvm.volumes().createThick(huge));
        var nowhere = new NewThickVolume(new LvName("nowhere", "x"), 4 * MIB, Set.of());
        assertThrows(LvmException.NotFound.class, () -> lvm.volumes().createThick(nowhere));
        assertThrows(LvmException.NotFound.class, () -> lvm.volumes().all("nowhere"));
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.volumes().extend(Now.volume(lvm, VOLUME), 4 * MIB));
        var missingOne = all.limitedTo(DeviceScope.only(devices.subList(0, 1)));
        var small = new NewThickVolume(VOLUME, 4 * MIB, Set.of());
        assertThrows(
                LvmException.MissingDevice.class, () -> missingOne.volumes().createThick(small));
        assertEquals(1, missingOne.groups().find(VG).orElseThrow().missingPhysicalVolumes());
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aLockThatAnotherProgramHoldsIsWaitedForOnlySoLong(Engine engine) throws Exception {
        open(engine);
        group();
        all.close();
        open(engine, Duration.ofMillis(300));
        var request = new NewThickVolume(VOLUME, 4 * MIB, Set.of());
        var lock = Path.of("/run/lock/lvm/V_" + VG);
        try (var _ = FileLock.tryLock(lock).orElseThrow()) {
            assertThrows(LvmException.LockBusy.class, () -> lvm.volumes().createThick(request));
        }
        all.close();
        open(engine);
        assertEquals(4 * MIB, lvm.volumes().createThick(request).sizeBytes());
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void soIsTheLockOfDevicesThatAreInNoGroup(Engine engine) throws Exception {
        open(engine, Duration.ofMillis(300));
        var request = new NewPhysicalVolume(devices.get(0));
        try (var _ = globalLock()) {
            assertThrows(LvmException.LockBusy.class, () -> lvm.physicalVolumes().create(request));
        }
        all.close();
        open(engine);
        assertEquals("", lvm.physicalVolumes().create(request).vgName());
    }

    /** Whoever uses LVM on this machine has it for a moment. */
    private static FileLock globalLock() throws Exception {
        var lock = FileLock.tryLock(Path.of("/run/lock/lvm/P_global"));
        while (lock.isEmpty()) {
            lock = FileLock.tryLock(Path.of("/run/lock/lvm/P_global"));
        }
        return lock.get();
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void aRowLongerThanLvmsMessagesIsExact(Engine engine) throws Exception {
        open(engine);
        group();
        var tags = new TreeSet<String>();
        for (int i = 0; i < 80; i++) {
            tags.add("%03d-".formatted(i) + Character.toString('a' + i % 26).repeat(110));
        }
        assertTrue(String.join(",", tags).length() > 2 * 4095);
        lvm.volumes().createThick(new NewThickVolume(VOLUME, 4 * MIB, Set.of()));
        for (var tag : tags) {
            lvm.volumes().changeTags(Now.volume(lvm, VOLUME), Set.of(tag), Set.of());
        }
        assertEquals(tags, new TreeSet<>(lvm.volumes().find(VOLUME).orElseThrow().tags()));
        var report = lvm.groups().report(VG).orElseThrow();
        assertEquals(tags, new TreeSet<>(report.logicalVolumes().getFirst().tags()));
        assertEquals(2, report.physicalVolumes().size(), "what follows the long row is there too");
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void callsFromManyThreadsDoNotDisturbEachOther(Engine engine) throws Exception {
        open(engine);
        group();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<Object>>();
            for (int i = 0; i < 10; i++) {
                var name = new LvName(VG, "v" + i);
                calls.add(() -> lvm.volumes().createThick(new NewThickVolume(name, MIB, Set.of())));
                calls.add(() -> lvm.groups().report(VG));
                calls.add(() -> lvm.groups().all());
            }
            for (var call : threads.invokeAll(calls)) {
                call.get();
            }
        }
        assertEquals(10, lvm.volumes().all(VG).size());
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER"})
    void aDeviceThatGrewIsSeenAtOnce(Engine engine) throws Exception {
        open(engine);
        group();
        long before = lvm.groups().find(VG).orElseThrow().sizeBytes();
        try (var image = new RandomAccessFile(folder.resolve("disk0").toFile(), "rw")) {
            image.setLength(512 * MIB);
        }
        Program.of(DEADLINE, "losetup", "-c", devices.get(0).toString()).run();
        lvm.physicalVolumes().resize(Now.device(lvm, devices.get(0)));
        assertEquals(before + 256 * MIB, lvm.groups().find(VG).orElseThrow().sizeBytes());
        assertEquals(512 * MIB, BlockDevices.sizeBytes(devices.get(0)));
        var device = BlockDevices.system().find(devices.get(0)).orElseThrow();
        assertEquals(DeviceType.LOOP, device.type());
        assertTrue(DeviceClaim.isFree(devices.get(0)), "nothing is active on it");
    }

    private static Tuning tuning(long readAheadBytes, AllocationPolicy policy) {
        return new Tuning(Optional.of(ReadAhead.ofBytes(readAheadBytes)), Optional.of(policy));
    }

    private void tuned() throws Exception {
        var volume = Now.volume(lvm, VOLUME);
        var asMade = new Tuning(Optional.of(ReadAhead.AUTO), Optional.of(AllocationPolicy.INHERIT));
        assertEquals(asMade, lvm.volumes().tuning(volume));
        var both = tuning(1 * MIB, AllocationPolicy.CLING);
        assertEquals(both, lvm.volumes().tune(volume, both));
        assertEquals(both, lvm.volumes().tune(volume, both), "again");
        var none = new Tuning(Optional.of(ReadAhead.ofBytes(0)), Optional.empty());
        assertEquals(
                tuning(0, AllocationPolicy.CLING),
                lvm.volumes().tune(volume, none),
                "what is not named stays");
        var policies =
                List.of(
                        AllocationPolicy.CONTIGUOUS,
                        AllocationPolicy.NORMAL,
                        AllocationPolicy.ANYWHERE,
                        AllocationPolicy.INHERIT);
        for (var policy : policies) {
            assertEquals(tuning(0, policy), lvm.volumes().tune(volume, tuning(0, policy)));
        }
        var odd = lvm.volumes().tune(volume, tuning(5120, AllocationPolicy.INHERIT));
        assertFalse(odd.satisfies(tuning(5120, AllocationPolicy.INHERIT)), "whole pages only");
        assertEquals(asMade, lvm.volumes().tune(volume, asMade));
    }
}
