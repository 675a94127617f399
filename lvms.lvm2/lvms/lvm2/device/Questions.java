package lvms.lvm2.device;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Questions to the kernel that may never be answered. There is one at a time about each subject,
 * each on a platform thread, since a thread inside the kernel can be neither stopped nor lent. So a
 * sick subject costs one thread, and those who ask about another one do not notice.
 */
final class Questions {
    private static final int MAX_THREADS = 256;
    private static final long KEEP_SECONDS = 10;

    /** For libblkid, too; a page is only there once it is used. */
    private static final long STACK_BYTES = 1 << 20;

    private final Duration patience;
    private final ThreadPoolExecutor threads;
    private final ConcurrentMap<String, Question<?>> open = new ConcurrentHashMap<>();

    /**
     * @param patience how long to wait for an answer
     */
    Questions(Duration patience) {
        this.patience = patience;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        MAX_THREADS,
                        KEEP_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform()
                                .daemon()
                                .stackSize(STACK_BYTES)
                                .name("device-question-", 0)
                                .factory());
    }

    private final class Question<T> extends FutureTask<T> {
        private final String subject;
        private final long overdue = System.nanoTime() + patience.toNanos();

        Question(String subject, Callable<T> callable) {
            super(callable);
            this.subject = subject;
        }

        @Override
        protected void done() {
            open.remove(subject, this);
        }
    }

    /**
     * Asks, once an earlier question about the same subject is answered: an answer is never older
     * than the call.
     *
     * @throws IOException if the question fails, or if there is no answer in time; at once if an
     *     earlier question about this subject has waited too long already
     */
    <T> T ask(String subject, Callable<T> callable) throws IOException, InterruptedException {
        var mine = new Question<>(subject, callable);
        for (var earlier = open.putIfAbsent(subject, mine);
                earlier != null;
                earlier = open.putIfAbsent(subject, mine)) {
            awaitEnd(earlier);
        }
        try {
            threads.execute(mine);
        } catch (RejectedExecutionException e) {
            open.remove(subject, mine);
            throw new IOException(MAX_THREADS + " questions to the kernel have no answer", e);
        }
        return answer(mine);
    }

    private void awaitEnd(Question<?> earlier) throws IOException, InterruptedException {
        try {
            earlier.get(earlier.overdue - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw late(earlier, e);
        } catch (ExecutionException e) {
            return; // its own caller hears of it
        }
    }

    private <T> T answer(Question<T> question) throws IOException, InterruptedException {
        try {
            return question.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw late(question, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException("asking about " + question.subject, e.getCause());
        }
    }

    private IOException late(Question<?> question, TimeoutException cause) {
        return new IOException(
                "no answer in %d s from the kernel about %s"
                        .formatted(patience.toSeconds(), question.subject),
                cause);
    }
}
