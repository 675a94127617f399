package lvms.k8s.informer;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Some threads that change, delete and make ConfigMaps. Each has objects of its own, so the answers
 * to its writes are the whole history of these, unless an answer was lost.
 */
final class Writers implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int DELETIONS = 5;

    /** Is told of each write that was answered; the calls for one object come in order. */
    interface Log {
        Log NONE =
                new Log() {
                    @Override
                    public void wrote(String name, KubeObject now) {}

                    @Override
                    public void deleted(String name) {}
                };

        /** It was made or changed. */
        void wrote(String name, KubeObject now);

        /** It is not there any more. */
        void deleted(String name);
    }

    private final KubeClient client;
    private final int objects;
    private final Duration pace;
    private final long seed;
    private final Log log;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<Void>> work = new ArrayList<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong unwritten = new AtomicLong();
    private volatile boolean stopping;

    /**
     * Nothing is written yet.
     *
     * @param objects how many there may be
     * @param pace between two writes of a thread
     */
    Writers(KubeClient client, int objects, Duration pace, long seed, Log log) {
        this.client = client;
        this.objects = objects;
        this.pace = pace;
        this.seed = seed;
        this.log = log;
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", "n" + number);
    }

    /** Makes all objects. */
    void fill() throws Exception {
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread;
            work.add(
                    threads.submit(
                            () -> {
                                for (int number = first; number < objects; number += THREADS) {
                                    put(number, 0);
                                }
                                return null;
                            }));
        }
        join();
    }

    /** Begins to write by chance. */
    void start() {
        stopping = false;
        for (int thread = 0; thread < THREADS; thread++) {
            work.add(threads.submit(writer(thread, new Random(seed + thread))));
        }
    }

    /** Stops once the last writes are answered; fails if a writer failed. */
    void stop() throws Exception {
        stopping = true;
        join();
    }

    private void join() throws Exception {
        for (var each : work) {
            each.get();
        }
        work.clear();
    }

    /** Returns how many writes were answered. */
    long written() {
        return written.get();
    }

    /** Returns how many writes got no answer, since the server was away. */
    long unwritten() {
        return unwritten.get();
    }

    private Callable<Void> writer(int thread, Random random) {
        return () -> {
            for (int value = 1; !stopping; value++) {
                int number = thread + THREADS * random.nextInt(objects / THREADS);
                try {
                    if (random.nextInt(DELETIONS) == 0) {
                        client.delete(Types.CONFIG_MAP, key(number), DeleteOptions.any());
                        log.deleted(key(number).name());
                    } else {
                        put(number, value);
                    }
                    written.incrementAndGet();
                } catch (ApiException.Unreachable
                        | ApiException.ServerError
                        | ApiException.TooManyRequests _) {
                    unwritten.incrementAndGet();
                }
                Thread.sleep(pace);
            }
            return null;
        };
    }

    private void put(int number, int value) throws ApiException, InterruptedException {
        var wanted = KubeObject.create(Types.CONFIG_MAP, key(number)).with("" + value, "data", "v");
        log.wrote(wanted.name(), client.apply(Types.CONFIG_MAP, wanted));
    }

    @Override
    public void close() {
        stopping = true;
        threads.close();
    }
}
