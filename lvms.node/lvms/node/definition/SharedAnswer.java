package lvms.node.definition;

import lvms.k8s.client.ApiException;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One answer for all who ask at once: nobody gets one to a question that was sent before they came.
 * If there is no answer, only who sent the question learns why; the next one sends it again.
 *
 * @param <T> the answer
 */
final class SharedAnswer<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long sent; // questions so far; one is sent only with the lock
    private long answered;
    private T last;

    /** What is asked. */
    @FunctionalInterface
    interface Question<T> {
        T send() throws ApiException, InterruptedException;
    }

    /** Returns an answer to a question that is sent after this call has begun. */
    T ask(Question<T> question) throws ApiException, InterruptedException {
        long before = sent;
        lock.lockInterruptibly();
        try {
            if (answered <= before) {
                long number = ++sent;
                last = question.send();
                answered = number;
            }
            return last;
        } finally {
            lock.unlock();
        }
    }
}
