package lvms.lvm2.watchdog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.engine.ChildJvm;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The watchdog outlives the process that it watches, and that process never fails for it. */
@LinuxOnly
@Timeout(120)
class WatchdogProcessTests {
    private static final Optional<Duration> HOLD = Optional.of(Duration.ofMinutes(1));
    private static final Optional<Duration> LVM = Optional.empty();
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir Path folder;

    /** Its rescue is a file beside that of the change. */
    static final class Dog {
        public static void main(String[] args) throws Exception {
            new WatchdogLoop(System.in, System.out, Dog::rescue).run();
        }

        private static void rescue(Path note) {
            try {
                Files.createFile(rescued(note));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A process that begins a change and one that ends, and then waits to be killed. */
    static final class Victim {
        public static void main(String[] args) throws Exception {
            var folder = Path.of(args[0]);
            var dog = dog(folder, LONG);
            dog.begun(folder.resolve("lvm"), LVM);
            dog.begun(folder.resolve("done"), HOLD);
            dog.begun(folder.resolve("hold"), HOLD);
            dog.ended(folder.resolve("done"));
            System.out.println("ready");
            Thread.sleep(LONG);
        }
    }

    private static Path rescued(Path note) {
        return note.resolveSibling(note.getFileName() + "-rescued");
    }

    private static ChildJvm jvm(Path folder, Class<?> main, List<String> arguments) {
        var home = Path.of(System.getProperty("java.home"));
        return new ChildJvm(home, Optional.empty(), folder, main, arguments);
    }

    private static WatchdogProcess dog(Path folder, Duration idleAfter) {
        return new WatchdogProcess(jvm(folder, Dog.class, List.of()), idleAfter);
    }

    private static void awaitEnd(ProcessHandle process) throws Exception {
        try {
            process.onExit().get(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            var status = Files.readString(Path.of("/proc", "" + process.pid(), "status"));
            throw new AssertionError("it does not end: " + process.pid() + " " + status, e);
        }
    }

    private static List<ProcessHandle> dogs() {
        return ProcessHandle.current().children().filter(WatchdogProcessTests::isDog).toList();
    }

    /** Those that are told to end need a moment. */
    private static ProcessHandle newest() {
        return dogs().stream()
                .max(Comparator.comparing(dog -> dog.info().startInstant().orElseThrow()))
                .orElseThrow();
    }

    private static boolean isDog(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"))
                    .contains(Dog.class.getName());
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    @Test
    void itRescuesWhatAKilledProcessHad() throws Exception {
        var victim = jvm(folder, Victim.class, List.of(folder.toString())).builder().start();
        assertEquals("ready", victim.inputReader(StandardCharsets.UTF_8).readLine());
        var dog = victim.children().findFirst().orElseThrow();
        victim.destroyForcibly();
        awaitEnd(dog);
        assertTrue(Files.exists(rescued(folder.resolve("lvm"))));
        assertTrue(Files.exists(rescued(folder.resolve("hold"))));
        assertFalse(Files.exists(rescued(folder.resolve("done"))));
    }

    @Test
    void itEndsWhenThereWasNoChangeForAWhile() throws Exception {
        try (var dog = dog(folder, Duration.ofMillis(50))) {
            var note = folder.resolve("a");
            dog.begun(note, HOLD);
            var process = newest();
            dog.ended(note);
            awaitEnd(process);
            assertFalse(Files.exists(rescued(note)));
        }
    }

    @Test
    void oneThatWasKilledIsReplacedAndKnowsWhatRuns() throws Exception {
        var dog = dog(folder, LONG);
        dog.begun(folder.resolve("a"), LVM);
        for (var process : dogs()) {
            process.destroyForcibly();
            awaitEnd(process);
        }
        dog.begun(folder.resolve("b"), HOLD);
        var second = newest();
        dog.ended(folder.resolve("a"));
        dog.ended(folder.resolve("b"));
        dog.close();
        awaitEnd(second);
    }

    @Test
    void itStaysWhileAChangeRunsAlthoughItIsClosed() throws Exception {
        var dog = dog(folder, LONG);
        var note = folder.resolve("a");
        dog.begun(note, HOLD);
        var process = newest();
        dog.close();
        assertTrue(process.isAlive());
        dog.ended(note);
        dog.close();
        awaitEnd(process);
    }

    @Test
    void whatKeepsItInTheContainerIsSaidAndItWorks() throws Exception {
        var own = Files.createDirectories(folder.resolve("proc/1"));
        Files.writeString(own.resolve("cgroup"), "0::/\n");
        Files.writeString(own.resolve("mountinfo"), "");
        var cgroups = new HostCgroups(folder.resolve("proc"));
        var jvm = jvm(folder, Dog.class, List.of());
        try (var dog = new WatchdogProcess(jvm, LONG, cgroups)) {
            var why = dog.obstacle().orElseThrow();
            assertTrue(why.startsWith("no such file: "), why);
            dog.begun(folder.resolve("a"), HOLD);
            assertTrue(newest().isAlive());
            dog.ended(folder.resolve("a"));
        }
    }

    @Test
    void aMachineThatCannotStartItWorksWithoutIt() {
        var missing = new ChildJvm(folder, Optional.empty(), folder, Dog.class, List.of());
        try (var dog = new WatchdogProcess(missing, LONG)) {
            dog.begun(folder.resolve("a"), HOLD);
            dog.ended(folder.resolve("a"));
            assertTrue(dog.obstacle().isPresent());
        }
    }
}
