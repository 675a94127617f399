package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.system.Program;
import lvms.lvm2.worker.Frames;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A library that cannot be used is refused with the reason in one line, and one that crashes, hangs
 * or prints nonsense costs the command it was given, never this process.
 */
@Timeout(60)
@LinuxOnly
class ForeignLibraryTests {
    private static final String NAME = "liblvm2cmd.so.2.03";

    /** Does what the command says, as LVM would at its worst. */
    private static final String SOURCE =
            """
            #include <signal.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            static int handles, open;
            void *lvm2_init(void) {
                if (open++) _exit(9); /* LVM crashes with two */
                fprintf(stderr, "handle %d\\n", ++handles);
                return (void *) 1;
            }
            void lvm2_exit(void *handle) { open--; }
            int lvm2_run(void *handle, const char *line) {
                sigset_t all;
                sigfillset(&all);
                sigprocmask(SIG_BLOCK, &all, 0); /* as LVM does while it holds a lock */
                if (!strcmp(line, "version")) printf("  LVM version:     VERSION (2022-05-18)\\n");
                if (!strcmp(line, "crash")) *(volatile int *) 8 = 1;
                if (!strcmp(line, "hang")) for (;;) pause();
                if (!strcmp(line, "exit")) _exit(3);
                if (!strcmp(line, "cut")) printf("{\\"report\\": [{\\"vg\\": [{\\"vg_na");
                return 1;
            }
            """;

    @TempDir Path folder;
    private WorkerEngine engine;

    @AfterEach
    void end() {
        if (engine != null) {
            engine.close();
        }
    }

    private WorkerEngine start() throws Exception {
        var launch =
                new WorkerLaunch(
                        Path.of(System.getProperty("java.home")),
                        OptionalLong.empty(),
                        Map.of("LC_ALL", "C", "LD_LIBRARY_PATH", folder.toString()),
                        Optional.empty(),
                        folder);
        engine = WorkerEngine.start(launch, new NotedExec(), 1, Duration.ofMinutes(1));
        return engine;
    }

    private void compiled(String version) throws Exception {
        var source = folder.resolve("fake.c");
        Files.writeString(source, SOURCE.replace("VERSION", version));
        var library = folder.resolve(NAME).toString();
        try {
            var words = List.of("cc", "-shared", "-fPIC", "-o", library, source.toString());
            var made = Program.of(Duration.ofMinutes(1), words.toArray(String[]::new)).run();
            assertTrue(made.succeeded(), made.toString());
        } catch (IOException e) {
            assumeTrue(false, "no C compiler: " + e.getMessage());
        }
    }

    private String refusal() {
        var refused = assertThrows(IOException.class, this::start);
        assertFalse(refused.getMessage().contains("\n"), refused.getMessage());
        return refused.getMessage();
    }

    private static Command command(Command.Effect effect, String word) {
        return new Command(effect, List.of(word), Duration.ofMillis(500));
    }

    @Test
    void whatIsNoLibraryIsRefusedInTheLoadersWords() throws Exception {
        Files.writeString(folder.resolve(NAME), "this is no library of any kind ".repeat(100));
        var refusal = refusal();
        assertTrue(refusal.contains(NAME + " cannot be loaded"), refusal);
        assertTrue(refusal.contains("invalid ELF header"), refusal);
    }

    @Test
    void aLibraryOfThatNameWithoutLvmsFunctionsIsRefused() throws Exception {
        var machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        var other = Path.of("/lib/" + machine + "-linux-gnu/libm.so.6");
        assumeTrue(Files.exists(other), "no " + other);
        Files.copy(other, folder.resolve(NAME));
        assertTrue(refusal().contains("lvm2_init"), "names what is missing");
    }

    @Test
    void aVersionThatIsTooOldIsRefused() throws Exception {
        compiled("2.02.98(2)");
        assertTrue(refusal().contains("LVM 2.02.98(2) is too old, 2.03.00 is needed"));
    }

    @Test
    void theAnswerOfAnotherProgramIsNoVersion() {
        var answer = new Frames.Answer(1, 0, "hello".getBytes(StandardCharsets.UTF_8), new byte[0]);
        assertThrows(IOException.class, () -> WorkerProcess.version(answer));
    }

    @Test
    void aCrashCostsOneCommandAndThreeInARowTheEngine() throws Exception {
        compiled("2.03.16(2)");
        start();
        var crash = command(Command.Effect.CHANGE, "crash");
        var version = command(Command.Effect.READ, "version");
        assertThrows(LvmException.OutcomeUnknown.class, () -> engine.run(crash));
        assertTrue(engine.run(version).stdout().contains("LVM version"), "a new worker");
        assertEquals("exec", engine.run(command(Command.Effect.READ, "crash")).stdout());
        assertThrows(LvmException.OutcomeUnknown.class, () -> engine.run(crash));
        assertEquals(EngineStatus.Kind.WORKER, engine.status().kind());
        assertThrows(LvmException.OutcomeUnknown.class, () -> engine.run(crash));
        assertEquals(EngineStatus.Kind.EXEC, engine.status().kind());
        assertTrue(engine.status().reason().startsWith("workers died three times in a row"));
        assertEquals("exec", engine.run(crash).stdout());
    }

    @Test
    void aLibraryThatEndsTheProcessCostsTheCommand() throws Exception {
        compiled("2.03.16(2)");
        var exit = command(Command.Effect.CHANGE, "exit");
        var unknown = assertThrows(LvmException.OutcomeUnknown.class, () -> start().run(exit));
        assertTrue(unknown.getMessage().contains("status 3"), unknown.getMessage());
    }

    @Test
    void aLibraryThatHangsIsKilledAtTheDeadline() throws Exception {
        compiled("2.03.16(2)");
        var read = command(Command.Effect.READ, "hang");
        assertThrows(LvmException.Unavailable.class, () -> start().run(read));
        var change = command(Command.Effect.CHANGE, "hang");
        assertThrows(LvmException.OutcomeUnknown.class, () -> engine.run(change));
    }

    @Test
    void eachCommandHasAHandleOfItsOwnThatIsYoung() throws Exception {
        compiled("2.03.16(2)");
        start();
        var version = command(Command.Effect.READ, "version");
        int first = handle(engine.run(version));
        Thread.sleep(1_200); // the one made ahead is too old by then
        assertEquals(first + 2, handle(engine.run(version)));
        assertEquals(first + 3, handle(engine.run(version)));
    }

    private static int handle(Reply reply) {
        var said = Pattern.compile("handle (\\d+)\n").matcher(reply.stderr());
        assertTrue(said.matches(), "what one handle said, and no other: " + reply.stderr());
        return Integer.parseInt(said.group(1));
    }
}
