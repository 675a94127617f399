package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.command.WorkerVictim;
import lvms.lvm2.filesystem.FileLock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes that hold locks, crash, hang, or do not say all they had to say. */
final class ProcessFaults {
    private static final long MIB = 1L << 20;
    private static final List<Path> DISKS = List.of(Path.of("/dev/ubdb"));
    private static final LvName VOLUME = new LvName(FaultGuest.VG, "volume");
    private static final LvName POOL = new LvName(FaultGuest.VG, "pool");
    private static final Path CHECK = Path.of("/usr/sbin/thin_check");
    private static final LvName NOTHING = new LvName(FaultGuest.VG, "nothing");

    /**
     * By tgkill(2), which has number 234 on x86-64: of a signal to the whole process some thread
     * would write the JVM's last words, and LVM's thread meanwhile answer.
     */
    private static final String CRASH =
            "syscall(234, $ARGV[0] + 0, $_ + 0, 11)"
                    + " for map { m{(\\d+)$} } glob qq(/proc/$ARGV[0]/task/*)";

    private static Lvm group(Lvm all) throws Exception {
        var lvm = all.limitedTo(DeviceScope.only(DISKS));
        lvm.groups().create(new NewVolumeGroup(FaultGuest.VG, DISKS, Set.of()));
        return lvm;
    }

    private static LogicalVolume create(Lvm lvm) throws Exception {
        return lvm.volumes().createThick(new NewThickVolume(VOLUME, 16 * MIB, Set.of()));
    }

    /** For a minute and with the default time if {@code full}, else for less. */
    void aLockThatIsHeld(boolean full) throws Exception {
        var wait = full ? Duration.ofSeconds(30) : Duration.ofSeconds(2);
        var held = full ? Duration.ofSeconds(60) : Duration.ofSeconds(4);
        var options = FaultGuest.options().withTimes(Duration.ofMinutes(1), wait);
        try (var all = LvmCommands.open(options)) {
            var lvm = group(all);
            var lock = FileLock.tryLock(Path.of("/run/lock/lvm/V_" + FaultGuest.VG)).orElseThrow();
            long start = System.nanoTime();
            FaultGuest.refused(LvmException.LockBusy.class, wait, () -> create(lvm));
            var later = CompletableFuture.supplyAsync(() -> again(lvm));
            Thread.sleep(Math.max(0, held.toMillis() - (System.nanoTime() - start) / 1_000_000));
            lock.close();
            assertEquals(16 * MIB, later.join().sizeBytes());
            FaultGuest.remove(lvm);
        }
    }

    private static LogicalVolume again(Lvm lvm) {
        while (true) {
            try {
                return create(lvm);
            } catch (LvmException.LockBusy e) {
                continue; // the caller holds it only so long
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void signal(String signal, Set<Long> workers) throws Exception {
        for (long worker : workers) {
            LabGuest.program("kill", "-" + signal, Long.toString(worker));
        }
    }

    /** The signal that the kernel sends for a bad address, while a change is under way. */
    void aLibraryThatCrashes() throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var readers = WorkerVictim.workers();
            var lvm = group(all);
            var unknown = assertInstanceOf(LvmException.OutcomeUnknown.class, crash(lvm, readers));
            assertTrue(unknown.getMessage().contains("the worker died"), unknown.getMessage());
            works(lvm);
        }
    }

    private static Throwable crash(Lvm lvm, Set<Long> readers) throws Exception {
        deactivate(lvm);
        var writers = WorkerVictim.workers();
        writers.removeAll(readers);
        assertEquals(1, writers.size());
        signal("STOP", writers); // so that the change is under way for sure
        var change = new FutureTask<>(() -> deactivate(lvm)); // reads nothing before
        var caller = Thread.ofPlatform().start(change);
        awaitAnswerTo(caller);
        for (long writer : writers) {
            LabGuest.program("perl", "-e", CRASH, Long.toString(writer));
        }
        signal("CONT", writers);
        return assertThrows(ExecutionException.class, change::get).getCause();
    }

    private static LvName deactivate(Lvm lvm) throws Exception {
        lvm.volumes().deactivate(Now.volume(lvm, NOTHING));
        return NOTHING;
    }

    /** Returns when the worker has the command and its caller waits. */
    private static void awaitAnswerTo(Thread caller) throws InterruptedException {
        while (Stream.of(caller.getStackTrace()).noneMatch(f -> f.getMethodName().equals("within"))
                || caller.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(caller.isAlive(), "it did not wait");
            Thread.sleep(5);
        }
    }

    private static void works(Lvm lvm) throws Exception {
        assertEquals(16 * MIB, FaultGuest.soon(() -> create(lvm)).sizeBytes());
        assertEquals(EngineStatus.Kind.WORKER, lvm.engine().kind());
        FaultGuest.remove(lvm);
    }

    /** A report and a change, both at their deadline. */
    void aLibraryThatHangs() throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var lvm = group(all);
            signal("STOP", WorkerVictim.workers());
            FaultGuest.refused(
                    LvmException.Unavailable.class,
                    FaultGuest.DEADLINES.read(),
                    () -> lvm.groups().all());
            FaultGuest.refused(
                    LvmException.OutcomeUnknown.class,
                    FaultGuest.DEADLINES.change(),
                    () -> create(lvm));
            works(lvm);
        }
    }

    /** The check of a pool's metadata, which LVM makes before each activation. */
    private static void replaceCheck(String script) throws Exception {
        Files.deleteIfExists(CHECK);
        Files.writeString(CHECK, "#!/bin/sh\n" + script + "\n");
        LabGuest.program("chmod", "755", CHECK.toString());
    }

    private static Lvm inactivePool(Lvm all) throws Exception {
        var lvm = group(all);
        lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(32 * MIB)));
        lvm.volumes().createThin(new NewThinVolume(VOLUME, "pool", 16 * MIB, Set.of()));
        LabGuest.program("lvchange", "-y", "-an", FaultGuest.VG + "/" + VOLUME.lv());
        LabGuest.program("lvchange", "-y", "-an", POOL.toString());
        return lvm;
    }

    /** It works longer than a change may last, and is not killed. */
    void aCheckThatTakesLong() throws Exception {
        var tool = CHECK.toRealPath();
        var work = "for i in $(seq 28); do head -c 2000000 /dev/zero | cksum; sleep 0.4; done";
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var lvm = inactivePool(all);
            var volume = Now.volume(lvm, VOLUME);
            replaceCheck(work + " >/dev/null\nexec " + tool + " thin_check \"$@\"");
            long start = System.nanoTime();
            assertTrue(lvm.volumes().activate(volume).active());
            var time = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(time.compareTo(FaultGuest.DEADLINES.change()) > 0, time.toString());
            restoreCheck(tool);
            FaultGuest.remove(lvm);
        }
    }

    private static void restoreCheck(Path tool) throws Exception {
        Files.deleteIfExists(CHECK);
        Files.createSymbolicLink(CHECK, tool);
    }

    /** What LVM started ends with the worker that held the lock, and the pool is active again. */
    void aWorkerThatDiesInACheck() throws Exception {
        var tool = CHECK.toRealPath();
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var readers = WorkerVictim.workers();
            var lvm = inactivePool(all);
            var volume = Now.volume(lvm, VOLUME);
            replaceCheck("echo $$ >/tmp/check; exec sleep 1000");
            Files.deleteIfExists(Path.of("/tmp/check"));
            var change = new FutureTask<>(() -> lvm.volumes().activate(volume));
            Thread.ofPlatform().start(change);
            var check = started();
            var writers = WorkerVictim.workers();
            writers.removeAll(readers);
            signal("KILL", writers);
            var failure = assertThrows(ExecutionException.class, change::get).getCause();
            assertInstanceOf(LvmException.OutcomeUnknown.class, failure);
            check.onExit().get(30, TimeUnit.SECONDS);
            restoreCheck(tool);
            assertTrue(lvm.volumes().activate(volume).active());
            FaultGuest.remove(lvm);
        }
    }

    private static ProcessHandle started() throws Exception {
        var note = Path.of("/tmp/check");
        while (!Files.exists(note) || Files.readString(note).isBlank()) {
            Thread.sleep(10);
        }
        return ProcessHandle.of(Long.parseLong(Files.readString(note).strip())).orElseThrow();
    }

    void anAnswerThatIsCutShort() throws Exception {
        var cut = "[ $1 = version ] && exec lvm version; lvm \"$@\" | head -c 150";
        var options = FaultGuest.options().withExecCommand(List.of("sh", "-c", cut, "lvm"));
        try (var whole = LvmCommands.open(FaultGuest.options());
                var all = LvmCommands.open(options)) {
            var lvm = group(whole);
            var short1 = all.limitedTo(DeviceScope.only(DISKS));
            FaultGuest.refused(
                    LvmException.Unavailable.class, Duration.ZERO, () -> short1.groups().all());
            FaultGuest.refused(
                    LvmException.Unavailable.class,
                    Duration.ZERO,
                    () -> short1.groups().report(FaultGuest.VG));
            FaultGuest.remove(lvm);
        }
    }

    /** LD_LIBRARY_PATH leads to a file that is not a library. */
    void aLibraryThatIsNone() throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            assertEquals(EngineStatus.Kind.EXEC, all.engine().kind());
            var reason = all.engine().reason();
            assertTrue(reason.contains("invalid ELF header") && !reason.contains("\n"), reason);
            System.out.println(reason);
            var lvm = group(all);
            assertEquals(16 * MIB, create(lvm).sizeBytes());
            FaultGuest.remove(lvm);
        }
    }
}
