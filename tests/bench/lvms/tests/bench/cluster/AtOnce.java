package lvms.tests.bench.cluster;

import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Work that is begun without waiting for each other. */
public final class AtOnce {
    /** Requests at the same moment; more would measure the bench's own connections. */
    private static final int MOST = 64;

    private AtOnce() {}

    /** One of many. */
    @FunctionalInterface
    public interface Numbered {
        void run(int number) throws Exception;
    }

    /** Does the work of each number below {@code count}, until all of it is done. */
    public static void run(int count, Numbered work) throws Exception {
        var turns = new Semaphore(MOST);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Callable<Void>>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(() -> inTurn(turns, number, work));
            }
            for (Future<Void> done : threads.invokeAll(all)) {
                try {
                    done.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        }
    }

    private static Void inTurn(Semaphore turns, int number, Numbered work) throws Exception {
        turns.acquire();
        try {
            work.run(number);
        } finally {
            turns.release();
        }
        return null;
    }
}
