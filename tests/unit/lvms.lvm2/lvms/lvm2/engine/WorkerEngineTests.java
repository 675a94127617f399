package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Workers come when they are needed, go when they are not, and their deaths cost one command each.
 * With the real library, and commands that touch no device.
 */
@Timeout(60)
@LinuxOnly
class WorkerEngineTests {
    private static final Command VERSION = new Command(Command.Effect.READ, List.of("version"));
    private static final Command CHANGE = new Command(Command.Effect.CHANGE, List.of("version"));

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir Path folder;
    private final NotedExec exec = new NotedExec();
    private WorkerEngine engine;

    @BeforeEach
    void library() {
        var machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        var found =
                List.of("/lib/" + machine + "-linux-gnu", "/usr/lib64", "/lib64").stream()
                        .anyMatch(f -> Files.exists(Path.of(f, "liblvm2cmd.so.2.03")));
        assumeTrue(found, "liblvm2cmd.so.2.03 is not installed");
    }

    @AfterEach
    void end() {
        if (engine != null) {
            engine.close();
        }
    }

    private WorkerLaunch launch(Path javaHome) {
        var environment = Map.of("LC_ALL", "C", "LVM_SYSTEM_DIR", folder.toString());
        return new WorkerLaunch(
                javaHome, OptionalLong.empty(), environment, Optional.empty(), folder);
    }

    private WorkerEngine start(int most, Duration idleAfter) throws Exception {
        return start(most, idleAfter, System::nanoTime);
    }

    private WorkerEngine start(int most, Duration idleAfter, LongSupplier nanoTime)
            throws Exception {
        var javaHome = Path.of(System.getProperty("java.home"));
        engine = WorkerEngine.start(launch(javaHome), exec, most, idleAfter, nanoTime);
        return engine;
    }

    private void kill(long pid) {
        var process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** As one that does not answer in time: it is killed, and what went wrong is said. */
    @Test
    void whatIsNoWorkerIsKilledAndTheReasonIsTold() throws Exception {
        var java = Files.createDirectories(folder.resolve("home/bin")).resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\necho $$ >%s\nprintf %%32s x\nexec sleep 60\n"
                        .formatted(folder.resolve("pid")));
        assertTrue(java.toFile().setExecutable(true));
        var launch = launch(folder.resolve("home"));
        var failure =
                assertThrows(
                        IOException.class,
                        () -> engine = WorkerEngine.start(launch, exec, 1, Duration.ofMinutes(1)));
        assertTrue(
                failure.getMessage().startsWith("no worker: the worker died, "),
                failure.getMessage());
        var pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void oneWorkerServesOneCommandAfterTheOther() throws Exception {
        var workers = start(3, Duration.ofMinutes(1));
        var first = workers.idleWorkers();
        for (int i = 0; i < 20; i++) {
            var reply = workers.run(VERSION);
            assertEquals(0, reply.status());
            assertTrue(reply.stdout().contains("LVM version"), reply.toString());
        }
        assertEquals(first, workers.idleWorkers());
        assertEquals(EngineStatus.Kind.WORKER, workers.status().kind());
        assertTrue(workers.status().lvmVersion().startsWith("2.03."));
    }

    @Test
    void statusAndBothOutputsAreThoseOfTheProgram() throws Exception {
        var unknown = new Command(Command.Effect.READ, List.of("nosuchcommand"));
        assertEquals(2, start(1, Duration.ofMinutes(1)).run(unknown).status());
        var wrong = engine.run(new Command(Command.Effect.READ, List.of("lvs", "--bogus")));
        assertEquals(3, wrong.status());
        assertTrue(wrong.stderr().contains("--bogus"), wrong.toString());
    }

    private static List<Reply> together(WorkerEngine workers, Command command) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = Collections.nCopies(12, (Callable<Reply>) () -> workers.run(command));
            var replies = new ArrayList<Reply>();
            for (var reply : threads.invokeAll(calls)) {
                replies.add(reply.get());
            }
            return replies;
        }
    }

    /** No command takes long on this clock, however busy the machine is. */
    private WorkerEngine startWithoutTime(int most) throws Exception {
        return start(most, Duration.ofMinutes(1), () -> 0);
    }

    @Test
    void overlappingReportsGetWorkersOfTheirOwnUpToTheBound() throws Exception {
        var workers = startWithoutTime(2);
        assertTrue(together(workers, VERSION).stream().allMatch(reply -> reply.status() == 0));
        assertTrue(workers.idleWorkers().size() <= 2, workers.idleWorkers().toString());
        assertEquals(List.of(), exec.commands());
    }

    @Test
    void changesShareOneWorkerWhichIsNoneOfTheReaders() throws Exception {
        var workers = startWithoutTime(3);
        var reader = workers.idleWorkers();
        assertTrue(together(workers, CHANGE).stream().allMatch(reply -> reply.status() == 0));
        assertEquals(2, workers.idleWorkers().size(), workers.idleWorkers().toString());
        assertTrue(workers.idleWorkers().containsAll(reader));
        assertEquals(List.of(), exec.commands());
    }

    @Test
    void anIdleWorkerEndsAndTheNextCommandStartsAnother() throws Exception {
        var workers = start(1, Duration.ofMillis(50));
        var pid = workers.idleWorkers();
        pid.stream().flatMap(p -> ProcessHandle.of(p).stream()).forEach(p -> p.onExit().join());
        assertEquals(0, workers.run(VERSION).status());
        assertNotEquals(pid, workers.idleWorkers());
    }

    /**
     * Until it has ended it may write into LVM's folder, which the caller may be about to remove.
     */
    @Test
    void closingAwaitsTheEndOfAWorkerThatWasGivenUp() throws Exception {
        var workers = start(1, Duration.ofMinutes(1));
        var pid = workers.idleWorkers().getFirst();
        var words = List.of("lvcreate", "--type", "vdo", "-L", "10g", "-n", "x", "no-such");
        var reply = workers.run(new Command(Command.Effect.READ, words));
        assumeTrue(
                (reply.stdout() + reply.stderr()).contains("not detected in your kernel"),
                "the kernel has VDO, or this LVM has not: " + reply);
        assertEquals(List.of(), workers.idleWorkers());
        workers.close();
        assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void aWorkerThatDiedWhileIdleCostsNothing() throws Exception {
        var workers = start(1, Duration.ofMinutes(1));
        kill(workers.idleWorkers().getFirst());
        assertEquals(0, workers.run(CHANGE).status());
        assertEquals(List.of(), exec.commands());
    }

    /** A command that waits for a lock which the caller holds. */
    private Command waiting(Command.Effect effect, Duration deadline) {
        var settings = "global/locking_dir=\"" + folder + "\" global/wait_for_locks=1";
        var words = List.of("vgs", "--devices", "/dev/null", "--config", settings, "held");
        return new Command(effect, words, deadline);
    }

    private FileLock lock() throws Exception {
        return FileLock.tryLock(folder.resolve("V_held")).orElseThrow();
    }

    private CompletableFuture<Reply> begin(Command command) {
        var answer = new CompletableFuture<Reply>();
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                answer.complete(engine.run(command));
                            } catch (Exception e) {
                                answer.completeExceptionally(e);
                            }
                        });
        return answer;
    }

    /** Kills the worker inside a command that waits for a lock which this test holds. */
    private CompletableFuture<Reply> killedInside(Command.Effect effect) throws Exception {
        try (var _ = lock()) {
            var answer = begin(waiting(effect, Duration.ofMinutes(1)));
            kill(waitingForTheLock());
            answer.handle((_, _) -> "ended").join();
            return answer;
        }
    }

    /** The kernel lists who waits for a lock: "-> FLOCK ADVISORY WRITE pid ...". */
    private static long waitingForTheLock() throws Exception {
        while (true) {
            for (var line : Files.readAllLines(Path.of("/proc/locks"))) {
                var words = line.strip().split("\\s+");
                boolean ours =
                        words[1].equals("->")
                                && ProcessHandle.current()
                                        .children()
                                        .anyMatch(p -> p.pid() == Long.parseLong(words[5]));
                if (ours) {
                    return Long.parseLong(words[5]);
                }
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void aChangeWhoseWorkerIsKilledHasAnUnknownOutcome() throws Exception {
        assumeTrue(ProcessHandle.current().info().user().equals(Optional.of("root")), "not root");
        start(1, Duration.ofMinutes(1));
        var failure = killedInside(Command.Effect.CHANGE).exceptionNow();
        assertInstanceOf(LvmException.OutcomeUnknown.class, failure);
        assertTrue(failure.getMessage().contains("status 137"), failure.getMessage());
        assertEquals(0, engine.run(VERSION).status());
        assertEquals(List.of(), exec.commands());
    }

    @Test
    void aReportWhoseWorkerIsKilledIsMadeByExec() throws Exception {
        assumeTrue(ProcessHandle.current().info().user().equals(Optional.of("root")), "not root");
        start(1, Duration.ofMinutes(1));
        assertEquals("exec", killedInside(Command.Effect.READ).join().stdout());
    }

    /** And a disk that hangs for hours does not make each command of other disks a new program. */
    @Test
    @Safety(23)
    void noOtherCommandWaitsForAChangeThatIsHeldUp() throws Exception {
        assumeTrue(ProcessHandle.current().info().user().equals(Optional.of("root")), "not root");
        var now = new AtomicLong();
        start(2, Duration.ofMinutes(1), now::get);
        CompletableFuture<Reply> held;
        try (var _ = lock()) {
            held = begin(waiting(Command.Effect.CHANGE, Duration.ofMinutes(1)));
            long writer = waitingForTheLock();
            assertEquals(0, engine.run(VERSION).status());
            assertEquals(List.of(), exec.commands());
            now.addAndGet(Duration.ofMillis(100).toNanos());
            assertEquals("exec", engine.run(CHANGE).stdout());
            assertFalse(held.isDone());
            assertFalse(engine.idleWorkers().contains(writer));
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            assertNotEquals("exec", engine.run(CHANGE).stdout());
            assertNotEquals("exec", engine.run(CHANGE).stdout());
            assertEquals(2, engine.idleWorkers().size(), "the reader and the spare writer");
            assertFalse(held.isDone());
        }
        held.join();
    }

    /** The deadline passes inside a command; the answer is there soon after. */
    private Throwable late(Command.Effect effect) throws Exception {
        start(1, Duration.ofMinutes(1));
        var deadline = Duration.ofMillis(200);
        try (var _ = lock()) {
            var answer = begin(waiting(effect, deadline));
            long start = System.nanoTime();
            answer.handle((_, _) -> "ended").join();
            var time = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(time.compareTo(deadline.plus(SOON)) < 0, time.toString());
            assertEquals(List.of(), exec.commands(), "nobody waits twice");
            assertEquals(0, engine.run(VERSION).status(), "the next has a worker again");
            return answer.exceptionNow();
        }
    }

    @Test
    void aReportThatHangsIsUnavailableAtItsDeadline() throws Exception {
        assertInstanceOf(LvmException.Unavailable.class, late(Command.Effect.READ));
    }

    @Test
    void aChangeThatHangsHasAnUnknownOutcomeAtItsDeadline() throws Exception {
        var failure = assertInstanceOf(LvmException.OutcomeUnknown.class, late(CHANGE.effect()));
        assertTrue(failure.getMessage().contains("killed after PT0.2S"), failure.getMessage());
    }

    @Test
    @Safety(27)
    void afterThreeDeathsInARowWorkersRestForAWhile() throws Exception {
        assumeTrue(ProcessHandle.current().info().user().equals(Optional.of("root")), "not root");
        var now = new AtomicLong();
        start(1, Duration.ofMinutes(1), now::get);
        for (int death = 1; death <= 3; death++) {
            assertEquals(EngineStatus.Kind.WORKER, engine.status().kind());
            killedInside(Command.Effect.READ).join();
        }
        assertEquals(EngineStatus.Kind.EXEC, engine.status().kind());
        assertEquals("exec", engine.run(VERSION).stdout());
        assertEquals(3, engine.status().workerDeaths());
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertTrue(engine.run(VERSION).stdout().contains("LVM version"));
        assertEquals(EngineStatus.Kind.WORKER, engine.status().kind());
    }

    @Test
    @Safety(27)
    void aDeadlineIsNoFaultOfTheWorker() throws Exception {
        start(1, Duration.ofMinutes(1));
        try (var _ = lock()) {
            for (int i = 0; i < 4; i++) {
                var command = waiting(Command.Effect.CHANGE, Duration.ofMillis(200));
                assertThrows(LvmException.OutcomeUnknown.class, () -> engine.run(command));
            }
        }
        assertEquals(EngineStatus.Kind.WORKER, engine.status().kind());
    }

    /** Fields of stat behind the name in brackets: parent, group and session come third on. */
    private static List<String> stat(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    }

    @Test
    @Safety(25)
    void noSignalToStopAndNoTerminalReachesAWorker() throws Exception {
        long worker = start(1, Duration.ofMinutes(1)).idleWorkers().getFirst();
        assertEquals(Long.toString(worker), stat(worker).get(2), "its process group");
        assertEquals(Long.toString(worker), stat(worker).get(3), "its session");
        for (var signal : List.of("HUP", "INT", "QUIT", "TERM")) {
            var sent = Program.of(SOON, "kill", "-" + signal, Long.toString(worker)).run();
            assertTrue(sent.succeeded(), sent.toString());
        }
        for (int i = 0; i < 20; i++) {
            assertEquals(0, engine.run(VERSION).status());
        }
        assertEquals(List.of(worker), engine.idleWorkers());
        assertEquals(List.of(), exec.commands());
    }

    @Test
    @Safety(25)
    void whatAWorkerStartsGetsNoneOfItsFiles() throws Exception {
        long worker = start(1, Duration.ofMinutes(1)).idleWorkers().getFirst();
        var open = Path.of("/proc", Long.toString(worker), "fdinfo");
        try (var files = Files.list(open)) {
            for (var file : files.filter(f -> f.getFileName().toString().length() > 1).toList()) {
                assertClosesOnExec(file);
            }
        }
        for (int number = 3; number < 10; number++) {
            assertClosesOnExec(open.resolve(Integer.toString(number)));
        }
    }

    /** The JVM itself opens files for a moment, such as those of its cgroup, without that flag. */
    private static void assertClosesOnExec(Path fdinfo) throws Exception {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (Files.exists(fdinfo) && !closesOnExec(fdinfo)) {
            assertTrue(System.nanoTime() < deadline, fdinfo.toString());
            Thread.sleep(10);
        }
    }

    private static boolean closesOnExec(Path fdinfo) throws IOException {
        try {
            var flags = Files.readAllLines(fdinfo).get(1).split("\\s+")[1];
            return (Long.parseLong(flags, 8) & 02000000) != 0;
        } catch (IOException e) {
            if (Files.exists(fdinfo)) {
                throw e;
            }
            return true; // the worker has closed it meanwhile
        }
    }

    /** A worker that has started a program, and waits for it instead of giving an answer. */
    private static final String WAITING =
            """
            #!/bin/sh
            exec setsid sh -c 'sleep 1000 </dev/null >/dev/null 2>&1 &
            echo $! > "$LVM_SYSTEM_DIR/helper"
            printf "\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\024\
            LVM version: 2.03.16\\0\\0\\0\\0"
            wait'
            """;

    @Test
    @Safety(25)
    void whatAKilledWorkerHadStartedEndsWithIt() throws Exception {
        var java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, WAITING);
        assertTrue(java.toFile().setExecutable(true));
        engine = WorkerEngine.start(launch(folder), exec, 1, Duration.ofMinutes(1));
        long pid = Long.parseLong(Files.readString(folder.resolve("helper")).strip());
        var helper = ProcessHandle.of(pid).orElseThrow();
        var command = new Command(Command.Effect.READ, List.of("vgs"), Duration.ofMillis(200));
        assertThrows(LvmException.class, () -> engine.run(command));
        helper.onExit().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** The worker's heap has 32 MiB. */
    @Test
    @Safety(27)
    void anAnswerMayBeLargerThanTheWorkersMemory() throws Exception {
        int size = 40 << 20;
        var list = "\"" + "x".repeat(1022) + "\",";
        var text = "activation { volume_list=[" + list.repeat(size / 1024) + "\"x\"] }\n";
        Files.writeString(folder.resolve("lvm.conf"), text);
        var words = List.of("lvmconfig", "activation/volume_list");
        var reply = start(1, Duration.ofMinutes(1)).run(new Command(Command.Effect.READ, words));
        assertTrue(reply.stdout().length() > size, reply.stderr());
        assertEquals(List.of(), exec.commands());
    }

    @Test
    void whatALineCannotExpressGoesToExec() throws Exception {
        var words = new ArrayList<>(Collections.nCopies(70, "x"));
        var command = new Command(Command.Effect.CHANGE, words);
        assertEquals("exec", start(1, Duration.ofMinutes(1)).run(command).stdout());
        assertEquals(List.of(command), exec.commands());
    }

    @Test
    void aRuntimeThatCannotStartSaysWhy() {
        var failure =
                assertThrows(
                        IOException.class,
                        () -> WorkerEngine.start(launch(folder), exec, 1, Duration.ofMinutes(1)));
        assertTrue(failure.getMessage().contains("bin/java"), failure.getMessage());
    }

    @Test
    void aClosedEngineStartsNothing() throws Exception {
        var workers = start(1, Duration.ofMinutes(1));
        var process = ProcessHandle.of(workers.idleWorkers().getFirst()).orElseThrow();
        workers.close();
        process.onExit().join();
        assertThrows(LvmException.Unavailable.class, () -> workers.run(VERSION));
    }
}
