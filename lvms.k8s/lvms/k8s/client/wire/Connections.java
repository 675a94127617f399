package lvms.k8s.client.wire;

import lvms.k8s.config.KubeConfig;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * One pool of connections to the server, created on first use.
 *
 * <p>HTTP/1.1 only: with HTTP/2 the JDK multiplexes all watches on one connection, fails above the
 * server's stream limit, and shares one flow-control window. When the client identity changes, a
 * new pool is created, since existing connections keep the certificate they began with. So it is
 * after a request that got no answer in time, since the other connections may be as dead as its
 * own: a translator of addresses forgets them all, and a host that lost its power has forgotten
 * them.
 */
public final class Connections implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * A pool of one identity. A request that has taken it is sent through it, even if another
     * thread has put a newer one in its place meanwhile: a pool ends only when nobody is about to
     * send. With the lock of {@link Connections}.
     */
    private static final class Pool {
        private final HttpClient client;
        private final int generation;
        private final int epoch;
        private int senders;
        private boolean replaced;

        Pool(HttpClient client, int generation, int epoch) {
            this.client = client;
            this.generation = generation;
            this.epoch = epoch;
        }

        boolean fits(int wantedGeneration, int wantedEpoch) {
            return generation == wantedGeneration && epoch == wantedEpoch;
        }

        void endIfUnused() {
            if (replaced && senders == 0) {
                client.shutdown(); // running exchanges, such as watches, may finish
            }
        }

        boolean hasEnded() {
            return client.isTerminated();
        }
    }

    private final KubeConfig config;
    private final ExecutorService threads;
    private final List<Pool> former = new ArrayList<>(); // with watches that still run
    private Pool pool;
    private int epoch;
    private boolean closed;

    public Connections(KubeConfig config, String name) {
        this.config = config;
        this.threads =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
    }

    private synchronized Pool take() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        int wanted = config.generation();
        if (pool == null || !pool.fits(wanted, epoch)) {
            var old = pool;
            pool = new Pool(make(), wanted, epoch);
            former.removeIf(Pool::hasEnded);
            if (old != null) {
                old.replaced = true;
                old.endIfUnused();
                former.add(old);
            }
        }
        pool.senders++;
        return pool;
    }

    /** Returns the number of the pool that a request gets now; {@link #silent} takes it. */
    public synchronized int epoch() {
        return epoch;
    }

    /**
     * A request got no answer in time, so the next one dials anew; what runs goes on. Of several
     * requests of one pool the first one counts.
     */
    public synchronized void silent(int requestEpoch) {
        if (epoch == requestEpoch) {
            epoch++;
        }
    }

    private synchronized void giveBack(Pool taken) {
        taken.senders--;
        taken.endIfUnused();
    }

    /**
     * Sends a request; a cancelled answer aborts the exchange.
     *
     * <p>Each request waits on a virtual thread of its own. {@code sendAsync} would hand the answer
     * to the common pool, which has one thread on two CPUs: while anything blocks that thread, no
     * answer gets through.
     */
    public <T> Future<HttpResponse<T>> send(
            HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        var taken = take();
        try {
            return threads.submit(() -> sent(taken, request, handler));
        } catch (RejectedExecutionException e) {
            giveBack(taken);
            throw new IllegalStateException("the client is closed", e);
        }
    }

    private <T> HttpResponse<T> sent(
            Pool taken, HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        try {
            return taken.client.send(request, handler);
        } finally {
            giveBack(taken);
        }
    }

    private HttpClient make() {
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .proxy(config.proxy())
                        .executor(threads);
        secure(builder);
        return builder.build();
    }

    private void secure(HttpClient.Builder builder) {
        try {
            var context = config.tlsContext();
            if (context.isPresent()) {
                builder.sslContext(context.get())
                        .sslParameters(config.tlsParameters(context.get()));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the check of the configuration made one of these", e);
        }
    }

    public synchronized boolean closed() {
        return closed;
    }

    /** Ends everything at once: calls and streams fail. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (pool != null) {
                pool.client.shutdownNow();
            }
            former.forEach(old -> old.client.shutdownNow());
            threads.shutdown();
        }
    }
}
