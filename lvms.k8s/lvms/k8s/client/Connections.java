package lvms.k8s.client;

import lvms.k8s.config.KubeConfig;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * One pool of connections to the server, created on first use.
 *
 * <p>HTTP/1.1 only: with HTTP/2 the JDK multiplexes all watches on one connection, fails above the
 * server's stream limit, and shares one flow-control window. When the client identity changes, a
 * new pool is created, since existing connections keep the certificate they began with.
 */
final class Connections implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final KubeConfig config;
    private final ExecutorService threads;
    private HttpClient client;
    private int generation;
    private boolean closed;

    Connections(KubeConfig config, String name) {
        this.config = config;
        this.threads =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
    }

    private synchronized HttpClient client() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        int wanted = config.generation();
        if (client == null || generation != wanted) {
            if (client != null) {
                client.shutdown(); // running exchanges may finish; no new ones begin
            }
            client = make();
            generation = wanted;
        }
        return client;
    }

    /**
     * Sends a request; a cancelled answer aborts the exchange.
     *
     * <p>Each request waits on a virtual thread of its own. {@code sendAsync} would hand the answer
     * to the common pool, which has one thread on two CPUs: while anything blocks that thread, no
     * answer gets through.
     */
    <T> Future<HttpResponse<T>> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        var open = client();
        try {
            return threads.submit(() -> open.send(request, handler));
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the client is closed", e);
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

    /** Ends everything at once: calls and streams fail. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (client != null) {
                client.shutdownNow();
            }
            threads.shutdown();
        }
    }
}
