package lvms.lvm2.watchdog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** The watchdog resumes what a dead process held, and nothing that ended before. */
@Timeout(60)
class WatchdogLoopTests {
    private final PipedOutputStream agent = new PipedOutputStream();
    private final PipedInputStream answers = new PipedInputStream();
    private final BlockingQueue<Path> rescued = new LinkedBlockingQueue<>();
    private BufferedReader reader;
    private Thread loop;

    @BeforeEach
    void start() throws Exception {
        var loopIn = new PipedInputStream(agent);
        var loopOut = new PipedOutputStream(answers);
        reader = new BufferedReader(new InputStreamReader(answers, StandardCharsets.UTF_8));
        loop = begin(new WatchdogLoop(loopIn, loopOut, rescued::add));
    }

    @AfterEach
    void end() throws Exception {
        agent.close();
        loop.join();
    }

    private static Thread begin(WatchdogLoop loop) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                loop.run();
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
    }

    private void tell(String text) throws IOException {
        agent.write(text.getBytes(StandardCharsets.UTF_8));
        agent.flush();
    }

    private List<Path> whenTheAgentIsDead() throws Exception {
        agent.close();
        loop.join();
        return List.copyOf(rescued);
    }

    @Test
    void whatRunsWhenTheAgentDiesIsRescued() throws Exception {
        tell("begun 0 /locks/a\nbegun 60000 /locks/b\nbegun 0 /locks/c\nended /locks/c\n");
        assertEquals(
                List.of(Path.of("/locks/a"), Path.of("/locks/b")),
                whenTheAgentIsDead().stream().sorted().toList());
    }

    @Test
    void whatHasEndedIsLeftAloneAlthoughItMayBeSuspendedByOthersNow() throws Exception {
        tell("begun 60000 /locks/a\nended /locks/a\n");
        assertEquals(List.of(), whenTheAgentIsDead());
    }

    @Test
    void whatHoldsForTooLongIsRescuedOnceAlthoughTheAgentLives() throws Exception {
        tell("begun 0 /locks/lvm\nbegun 20 /locks/hold\n");
        assertEquals(Path.of("/locks/hold"), rescued.take());
        tell("ended /locks/hold\nended /locks/lvm\n");
        assertEquals(List.of(), whenTheAgentIsDead());
    }

    @Test
    void aChangeThatHoldsIoIsAnsweredOnceItIsKnown() throws Exception {
        tell("begun 0 /locks/lvm\nbegun 60000 /locks/hold\n");
        assertEquals("ok", reader.readLine());
        assertEquals(2, whenTheAgentIsDead().size());
    }

    @Test
    void oneThatIsToldToQuitRescuesNothing() throws Exception {
        tell("begun 0 /locks/a\nquit\n");
        loop.join();
        assertTrue(rescued.isEmpty());
    }

    @Test
    void aLineThatWasCutAndOneThatNobodyKnowsSayNothing() throws Exception {
        tell("begun\nbegun x /locks/a\nbegun 99999999999999999999 /locks/a\n\nfoo 1 2\nbegun 0 /l");
        assertEquals(List.of(Path.of("/l")), whenTheAgentIsDead(), "there is no such file");
    }

    @Test
    void oneThatHangsInTheKernelKeepsNoOtherWaiting() throws Exception {
        var hangs = new CountDownLatch(1);
        var in = new PipedOutputStream();
        var other =
                new WatchdogLoop(
                        new PipedInputStream(in),
                        new PipedOutputStream(new PipedInputStream()),
                        note -> {
                            if (note.endsWith("hangs")) {
                                await(hangs);
                            }
                            rescued.add(note);
                        });
        var thread = begin(other);
        in.write("begun 0 /locks/hangs\nbegun 0 /locks/b\n".getBytes(StandardCharsets.UTF_8));
        in.close();
        assertEquals(Path.of("/locks/b"), rescued.take());
        hangs.countDown();
        thread.join();
        assertEquals(Path.of("/locks/hangs"), rescued.take());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
