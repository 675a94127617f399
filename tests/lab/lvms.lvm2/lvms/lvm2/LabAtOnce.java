package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.WatchdogMain;
import lvms.lvm2.command.WorkerVictim;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.Mounts;
import lvms.tests.lab.machine.LabJvm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Snapshots of several volumes that somebody writes to in a fixed order: what was written later is
 * in no snapshot without what was written before it, also if the process is killed on the way.
 */
record LabAtOnce(Lvm lvm, Set<String> thick) {
    /** Stories: which of the volumes are thick. */
    static final Set<String> NONE = Set.of();

    static final Set<String> ALL = Set.of("a", "b", "c", "d", "e");

    /** A writer goes from thin to thick and back. */
    static final Set<String> SOME = Set.of("b", "d", "e");

    private static final long MIB = OperationsGuest.MIB;
    private static final List<String> VOLUMES = List.of("a", "b", "c", "d", "e");
    private static final LvName POOL = OperationsGuest.name("pool");
    private static final int ROUNDS = 2;
    private static final int KILLS = 3;
    private static final long LATEST_KILL_MILLIS = 1500;

    /** LVM itself suspends one source at a time. */
    private static final int HELD = 2;

    private static final int MOST_TRIES = 30;
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final String INTO_CGROUP = "echo $$ >$0/cgroup.procs; exec \"$@\"";
    private static final long MOST_MILLIS_WITHOUT_IO = 5000;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    void run() throws Exception {
        var mine = new LabAtOnce(OperationsGuest.group(lvm, 3), thick);
        mine.lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(96 * MIB)));
        for (var volume : VOLUMES) {
            if (thick.contains(volume)) {
                OperationsGuest.thick(mine.lvm, volume, 16 * MIB);
            } else {
                mine.thin(volume);
            }
        }
        mine.oneByOneIsOutOfOrder();
        mine.inOrder();
        mine.allOrNone();
        mine.takenInPart();
        mine.killed();
        mine.killedWhileAllWait();
        mine.killedAsAContainerIs();
        mine.frozen();
        for (var volume : thick) {
            mine.lvm.volumes().remove(Now.volume(mine.lvm, OperationsGuest.name(volume)));
        }
        mine.lvm.pools().removeWithVolumes(Now.volume(mine.lvm, POOL));
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void thin(String name) throws Exception {
        lvm.volumes()
                .createThin(
                        new NewThinVolume(
                                OperationsGuest.name(name), POOL.lv(), 16 * MIB, Set.of()));
    }

    private List<Snapshots.Request> requests(String group) {
        return requests(group, thick);
    }

    static List<Snapshots.Request> requests(String group, Set<String> thick) {
        return VOLUMES.stream()
                .map(volume -> request(group, volume, thick.contains(volume)))
                .toList();
    }

    private static Snapshots.Request request(String group, String volume, boolean thick) {
        var name = OperationsGuest.name(group + "-" + volume);
        var tags = Set.of("g");
        return thick
                ? new NewThickSnapshot(name, volume, 4 * MIB, true, tags)
                : new NewSnapshot(name, volume, true, tags);
    }

    private LogicalVolume single(Snapshots.Request request) throws Exception {
        return switch (request) {
            case NewSnapshot one -> lvm.snapshots().createThin(one);
            case NewThickSnapshot one -> lvm.snapshots().createThick(one);
        };
    }

    /** Writes a number to the first volume, then to the next, each once the one before is done. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean end = new AtomicBoolean();
        private final List<Exception> failures = new ArrayList<>();
        private volatile long longestMillis;
        private final Thread thread = Thread.ofPlatform().start(this::run);

        /** As pods do, it keeps open what it writes to: LVM makes the names below /dev anew. */
        private void run() {
            var devices = new ArrayList<FileChannel>();
            try {
                for (var volume : VOLUMES) {
                    devices.add(
                            FileChannel.open(
                                    OperationsGuest.device(volume),
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.DSYNC));
                }
                for (long next = number(VOLUMES.getFirst()) + 1; !end.get(); next++) {
                    for (var device : devices) {
                        long begun = System.nanoTime();
                        device.write(ByteBuffer.allocate(Long.BYTES).putLong(0, next), 0);
                        long millis = (System.nanoTime() - begun) / 1_000_000;
                        longestMillis = Math.max(longestMillis, millis);
                    }
                }
                for (var device : devices) {
                    device.close();
                }
            } catch (Exception e) {
                failures.add(e);
            }
        }

        @Override
        public void close() {
            end.set(true);
            while (thread.isAlive()) {
                LockSupport.parkNanos(1_000_000);
            }
            assertEquals(List.of(), failures);
        }
    }

    private static long number(String volume) throws Exception {
        try (var device =
                FileChannel.open(OperationsGuest.device(volume), StandardOpenOption.READ)) {
            var content = ByteBuffer.allocate(Long.BYTES);
            device.read(content);
            return content.getLong(0);
        }
    }

    private static List<Long> numbers(String group) throws Exception {
        var numbers = new ArrayList<Long>();
        for (var volume : VOLUMES) {
            numbers.add(number(group + "-" + volume));
        }
        System.out.println(group + ": " + numbers);
        return numbers;
    }

    private static boolean inOrder(List<Long> numbers) {
        for (int i = 1; i < numbers.size(); i++) {
            if (numbers.get(i) > numbers.get(i - 1)) {
                return false;
            }
        }
        return numbers.getFirst() - numbers.getLast() <= 1;
    }

    private static void assertInOrder(String group) throws Exception {
        var numbers = numbers(group);
        assertTrue(inOrder(numbers), group + ": " + numbers);
    }

    private static void assertNobodyWaits() throws Exception {
        assertEquals(List.of(), DeviceMapper.system().suspended());
    }

    /** So what follows would notice it. */
    private void oneByOneIsOutOfOrder() throws Exception {
        try (var _ = new Writer()) {
            for (var request : requests("o")) {
                long begun = number("a");
                OperationsGuest.await("the writer goes on", () -> number("a") > begun + 1);
                single(request);
            }
        }
        assertFalse(inOrder(numbers("o")));
        remove("o-");
    }

    private void inOrder() throws Exception {
        try (var writer = new Writer()) {
            OperationsGuest.await("something is written", () -> number("c") > 0);
            for (int round = 0; round < ROUNDS; round++) {
                long begun = number("c");
                var made = again("r" + round);
                assertNobodyWaits();
                assertEquals(uuids(made), uuids(again("r" + round)), "the same call again");
                for (var snapshot : made) {
                    assertEquals(Set.of("g"), snapshot.tags());
                    assertTrue(snapshot.active());
                }
                assertInOrder("r" + round);
                OperationsGuest.await("the writer goes on", () -> number("c") > begun);
            }
            System.out.println("the writer waited at most millis=" + writer.longestMillis);
        }
        remove("r");
    }

    private List<LogicalVolume> again(String group) throws Exception {
        return lvm.snapshots().createAtOnce(requests(group));
    }

    private static List<String> uuids(List<LogicalVolume> volumes) {
        return volumes.stream().map(LogicalVolume::uuid).toList();
    }

    private void remove(String prefix) throws Exception {
        for (var volume : lvm.volumes().all(OperationsGuest.VG)) {
            if (volume.name().lv().startsWith(prefix)) {
                lvm.volumes().remove(volume.identity());
            }
        }
    }

    private void allOrNone() throws Exception {
        thin("n-c");
        var before = lvm.volumes().all(OperationsGuest.VG).size();
        assertThrows(LvmException.AlreadyExists.class, () -> again("n"));
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name("n-c")));
        assertEquals(before - 1, lvm.volumes().all(OperationsGuest.VG).size());
        var requests = new ArrayList<>(requests("n"));
        requests.add(new NewSnapshot(OperationsGuest.name("n-p"), "nothing", true, Set.of()));
        assertThrows(LvmException.NotFound.class, () -> lvm.snapshots().createAtOnce(requests));
        assertEquals(before - 1, lvm.volumes().all(OperationsGuest.VG).size());
        var made = again("n");
        lvm.volumes().remove(made.getFirst().identity());
        assertThrows(LvmException.NotFound.class, () -> again("n"), "one was removed since");
        remove("n-");
        assertNobodyWaits();
    }

    /** One that was taken before a process died is of another instant. */
    private void takenInPart() throws Exception {
        var half = single(requests("p").getFirst());
        LabGuest.program(
                "lvm",
                "lvchange",
                "-y",
                "--addtag",
                "lvms-unfinished-snapshot",
                half.name().toString());
        var made = again("p");
        assertNotEquals(half.uuid(), made.getFirst().uuid());
        remove("p-");
    }

    /** A filesystem is clean in its snapshot, though it is mounted and written to. */
    private void frozen() throws Exception {
        var mount = Files.createTempDirectory(Path.of("/tmp"), "mount");
        LabGuest.program("mkfs.ext4", "-q", OperationsGuest.device("a").toString());
        Mounts.mount(OperationsGuest.device("a"), mount, "ext4", Set.of(), "");
        try {
            Files.writeString(mount.resolve("file"), "not synced");
            again("f");
            LabGuest.program("e2fsck", "-fn", OperationsGuest.device("f-a").toString());
        } finally {
            Mounts.unmount(mount);
        }
        remove("f-");
    }

    /** The next process lets I/O go on, and takes all anew. */
    private void killed() throws Exception {
        var random = new Random(1);
        try (var _ = new Writer()) {
            for (int kill = 0; kill < KILLS; kill++) {
                var group = "k" + kill;
                long after = random.nextLong(LATEST_KILL_MILLIS);
                die(group, () -> Thread.sleep(after));
                mendAndTakeAgain(group);
            }
        }
        remove("k");
    }

    private void killedWhileAllWait() throws Exception {
        try (var _ = new Writer()) {
            boolean waits = false;
            for (int i = 0; i < MOST_TRIES && !waits; i++) {
                die("w", LabAtOnce::awaitHeld);
                waits = suspended() >= HELD;
                System.out.println("killed while sources waited: " + suspended());
                mendAndTakeAgain("w");
                remove("w");
            }
            assertTrue(waits, "it was killed too late each time");
        }
    }

    /** All in the cgroup die at once. What outlives them lets I/O go on, and leaves nothing. */
    private void killedAsAContainerIs() throws Exception {
        var cgroup = Files.createDirectory(CGROUPS.resolve("victim"));
        try (var _ = new Writer()) {
            boolean waits = false;
            for (int i = 0; i < MOST_TRIES && !waits; i++) {
                var victim = victim("c", List.of("sh", "-c", INTO_CGROUP, cgroup.toString()));
                awaitHeld();
                Files.writeString(cgroup.resolve("cgroup.kill"), "1");
                waits = suspended() >= HELD;
                long killed = System.nanoTime();
                victim.waitFor();
                OperationsGuest.await("I/O goes on", () -> suspended() == 0);
                long millis = (System.nanoTime() - killed) / 1_000_000;
                System.out.println("killed in its cgroup, I/O went on after millis=" + millis);
                assertTrue(millis < MOST_MILLIS_WITHOUT_IO, millis + " ms");
                long number = number("c");
                OperationsGuest.await("the writer goes on", () -> number("c") > number);
                OperationsGuest.await("nothing runs any more", () -> !watched());
                mendAndTakeAgain("c");
                remove("c-");
            }
            assertTrue(waits, "it was killed too late each time");
        }
        Files.delete(cgroup);
    }

    /** This process has a watchdog, too. */
    private static boolean watched() {
        var mine = Optional.of(ProcessHandle.current());
        return ProcessHandle.allProcesses()
                .filter(process -> !process.parent().equals(mine))
                .anyMatch(process -> WorkerVictim.runs(process, WatchdogMain.class));
    }

    private static long suspended() {
        return VOLUMES.stream().filter(LabAtOnce::isSuspended).count();
    }

    private static boolean isSuspended(String volume) {
        try {
            return DeviceMapper.system()
                    .outline(Grammar.deviceMapperName(OperationsGuest.name(volume)))
                    .filter(DeviceMapper.State::suspended)
                    .isPresent();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitHeld() {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (suspended() < HELD) {
            assertTrue(System.nanoTime() < deadline, "nobody holds the volumes");
        }
    }

    private void mendAndTakeAgain(String group) throws Exception {
        lvm.groups().mend(OperationsGuest.VG);
        assertNobodyWaits();
        var made = again(group);
        assertEquals(VOLUMES.size(), made.size());
        assertInOrder(group);
        assertNobodyWaits();
    }

    private interface Moment {
        void await() throws Exception;
    }

    private void die(String group, Moment moment) throws Exception {
        var victim = victim(group, List.of());
        moment.await();
        var children = victim.descendants().toList(); // while it still has them
        victim.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        for (var child : children) {
            child.onExit().join();
        }
        victim.waitFor();
    }

    private Process victim(String group, List<String> starter) throws Exception {
        var command = new ArrayList<>(starter);
        command.addAll(LabJvm.heap(64).command(AtOnceVictim.class, group, String.join(",", thick)));
        var victim =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertEquals("ready", victim.inputReader(StandardCharsets.UTF_8).readLine());
        return victim;
    }
}
