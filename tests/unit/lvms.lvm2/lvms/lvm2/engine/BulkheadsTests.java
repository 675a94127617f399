package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.system.Program;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Devices that give no answer cost the commands about them, and no others. */
@Timeout(60)
@Safety(23)
class BulkheadsTests {
    private static final Reply DONE = new Reply(0, "done", "");
    private final CountDownLatch answer = new CountDownLatch(1);
    private final Semaphore begun = new Semaphore(0);

    /** An engine in which reports of one device hang. */
    private final class Hanging implements Engine {
        @Override
        public Reply run(Command command) throws InterruptedException {
            if (command.words().contains("/dev/sick")) {
                begun.release();
                answer.await();
            }
            return DONE;
        }

        @Override
        public EngineStatus status() {
            return new EngineStatus(EngineStatus.Kind.EXEC, "a test", "");
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void end() {
        answer.countDown();
    }

    private static Command report(String devices, Duration deadline) {
        var words = List.of("vgs", "--devices", devices);
        return new Command(Command.Effect.READ, words, deadline);
    }

    @Test
    void reportsThatHangKeepOnlyThoseOfTheirDevicesWaiting() throws Exception {
        try (var engine = new Bulkheads(new Hanging(), 2)) {
            for (int i = 0; i < 2; i++) {
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> ignore(engine, report("/dev/sick", Duration.ofMinutes(1))));
            }
            assertTrue(begun.tryAcquire(2, 30, TimeUnit.SECONDS));
            var said =
                    assertThrows(
                            LvmException.Unavailable.class,
                            () -> engine.run(report("/dev/sick", Duration.ofMillis(1))));
            assertTrue(said.getMessage().contains("give no answer"), said.getMessage());
            assertEquals(DONE, engine.run(report("/dev/fine", Duration.ofMinutes(1))));
            answer.countDown();
            assertEquals(DONE, engine.run(report("/dev/sick", Duration.ofMinutes(1))));
        }
    }

    @ParameterizedTest
    @EnumSource(Command.Effect.class)
    @Safety(25)
    void closingWaitsForACommandAndLetsNoneBegin(Command.Effect effect) throws Exception {
        var engine = new Bulkheads(new Hanging(), 2);
        var command = new Command(effect, List.of("lvm", "--devices", "/dev/sick"));
        Thread.ofPlatform().daemon().start(() -> ignore(engine, command));
        begun.acquire();
        var closing = Thread.ofPlatform().start(engine::close);
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(closing.isAlive(), "it has not waited");
        }
        var other = new Command(Command.Effect.CHANGE, List.of("lvcreate"));
        var said = assertThrows(LvmException.Unavailable.class, () -> engine.run(other));
        assertEquals("LVM is closed", said.getMessage());
        answer.countDown();
        closing.join();
    }

    private static void ignore(Engine engine, Command command) {
        try {
            engine.run(command);
        } catch (LvmException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The program is one that SIGKILL has not ended yet, as far as can be seen. */
    private static final class Lingering implements Engine {
        private final Program.Late late;

        Lingering(Program.Late late) {
            this.late = late;
        }

        @Override
        public Reply run(Command command) throws LvmException {
            if (command.words().contains("/dev/sick")) {
                throw new LvmException.Unavailable("killed", late);
            }
            return DONE;
        }

        @Override
        public EngineStatus status() {
            return new EngineStatus(EngineStatus.Kind.EXEC, "a test", "");
        }

        @Override
        public void close() {}
    }

    @Test
    void whileAKilledCommandLingersItsDevicesAreLeftAlone() throws Exception {
        var process = new ProcessBuilder("sleep", "1000").start();
        try (var engine = new Bulkheads(new Lingering(new Program.Late("late", process)), 2)) {
            var sick = report("/dev/sick", Duration.ofMinutes(1));
            assertThrows(LvmException.Unavailable.class, () -> engine.run(sick));
            var said = assertThrows(LvmException.Unavailable.class, () -> engine.run(sick));
            assertTrue(said.getMessage().contains("hangs in the kernel"), said.getMessage());
            assertEquals(DONE, engine.run(report("/dev/fine", Duration.ofMinutes(1))));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void onceItHasEndedTheyAreAskedAgain() throws Exception {
        var process = new ProcessBuilder("sleep", "1000").start();
        try (var engine = new Bulkheads(new Lingering(new Program.Late("late", process)), 2)) {
            var sick = report("/dev/sick", Duration.ofMinutes(1));
            assertThrows(LvmException.Unavailable.class, () -> engine.run(sick));
            process.destroyForcibly().waitFor();
            for (var said = "in the kernel"; said.contains("in the kernel"); ) {
                said = assertThrows(LvmException.class, () -> engine.run(sick)).getMessage();
            }
            var said = assertThrows(LvmException.class, () -> engine.run(sick)).getMessage();
            assertEquals("killed", said, "what has ended does not linger");
        }
    }
}
