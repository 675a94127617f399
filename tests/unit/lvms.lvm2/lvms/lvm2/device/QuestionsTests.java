package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** A question that hangs is no one's trouble but that of those who ask about the same. */
@Timeout(60)
@Safety(24)
class QuestionsTests {
    private static final Duration SHORT = Duration.ofMillis(50);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Callable<String> hanging =
            () -> {
                end.await();
                return "late";
            };

    @AfterEach
    void end() {
        end.countDown();
    }

    @Test
    void aQuestionThatHangsKeepsNobodyElseWaiting() throws Exception {
        var questions = new Questions(SHORT);
        assertThrows(IOException.class, () -> questions.ask("sick", hanging));
        var said = assertThrows(IOException.class, () -> questions.ask("sick", () -> "healthy"));
        assertTrue(said.getMessage().contains("about sick"), said.getMessage());
        for (int i = 0; i < 200; i++) {
            assertEquals(i, ask(questions, i));
        }
    }

    /** A machine that is busy elsewhere may be slower than the patience of this test. */
    private static int ask(Questions questions, int i) throws InterruptedException {
        while (true) {
            try {
                return questions.ask("other", () -> i);
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void manyThatHangAreRefusedAndNotThrownOut() throws Exception {
        var questions = new Questions(Duration.ofMillis(1));
        for (int i = 0; i < 300; i++) {
            var subject = "sick-" + i;
            assertThrows(IOException.class, () -> questions.ask(subject, hanging));
        }
        end.countDown();
        assertEquals(1, ask(questions, 1));
    }

    @Test
    void anAnswerIsNeverOlderThanItsQuestion() throws Exception {
        var questions = new Questions(Duration.ofMinutes(1));
        var first = Thread.ofPlatform().start(() -> ignore(() -> questions.ask("pool", hanging)));
        while (first.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        Thread.ofPlatform().start(end::countDown);
        assertEquals("new", questions.ask("pool", () -> "new"));
    }

    @Test
    void theNextQuestionAfterALateAnswerIsAsked() throws Exception {
        var questions = new Questions(SHORT);
        assertThrows(IOException.class, () -> questions.ask("pool", hanging));
        end.countDown();
        assertEquals(1, ask(questions, 1));
    }

    @Test
    void devicesOfOneGroupBelongTogether() {
        assertEquals("my-vg", KernelDeviceMapper.group("my--vg-pool--1_tmeta"));
        assertEquals("frail", KernelDeviceMapper.group("frail"));
        assertEquals("vg", KernelDeviceMapper.group("vg-pool-tpool"));
    }

    private static void ignore(Callable<String> call) {
        try {
            assertEquals("late", call.call());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
