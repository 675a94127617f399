package lvms.tests.conformance.takeover;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Does something again and again beside the test, until it is told to end. */
final class Repeatedly {
    /** What is done. */
    @FunctionalInterface
    interface Step {
        /** Does it for the time of this number, from 1 on. */
        void run(int number) throws Exception;
    }

    private final CountDownLatch told = new CountDownLatch(1);
    private final FutureTask<Integer> task;

    private Repeatedly(Duration pause, Step step) {
        task =
                new FutureTask<>(
                        () -> {
                            int number = 0;
                            do {
                                step.run(++number);
                            } while (!told.await(pause.toNanos(), TimeUnit.NANOSECONDS));
                            return number;
                        });
    }

    /** Starts it; between two times there is a pause. */
    static Repeatedly start(Duration pause, Step step) {
        var repeatedly = new Repeatedly(pause, step);
        Thread.ofVirtual().start(repeatedly.task);
        return repeatedly;
    }

    /** Ends it, and returns how often it was done; the failure of a time is that of this. */
    int end() throws Exception {
        told.countDown();
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new AssertionError("what was done beside failed", e.getCause());
        }
    }
}
