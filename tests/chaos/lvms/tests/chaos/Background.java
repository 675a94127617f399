package lvms.tests.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** What goes on beside the work. Used by one thread. */
final class Background {
    private final List<Future<?>> running = new ArrayList<>();

    /** A thing to do; it may fail. */
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    void start(Task task) {
        var future =
                new FutureTask<Void>(
                        () -> {
                            task.run();
                            return null;
                        });
        running.add(future);
        Thread.ofVirtual().start(future);
    }

    /** Waits for all of them; the first failure is thrown. */
    void await() throws Exception {
        for (var task : List.copyOf(running)) {
            running.remove(task);
            try {
                task.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw new AssertionError(e.getCause());
            }
        }
    }
}
