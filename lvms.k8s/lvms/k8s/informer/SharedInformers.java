package lvms.k8s.informer;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ResourceType;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Informers that the parts of a program share: one for each type, namespace and selection, so that
 * each object is in memory once and each collection is watched once. Client-go's {@code
 * SharedInformerFactory}. Any thread may use it.
 *
 * <p>What they hold is whole but for {@code metadata.managedFields}. Indexes are added to the
 * informer: {@link Informer#addIndex}.
 */
public final class SharedInformers implements AutoCloseable {
    /** What an informer covers. */
    private record Scope(ResourceType type, ListOptions options) {}

    private final KubeClient client;
    private final Map<Scope, Informer> informers = new LinkedHashMap<>();
    private boolean closed;

    private SharedInformers(KubeClient client) {
        this.client = client;
    }

    /** Returns a set of informers over one client, which its owner closes afterwards. */
    public static SharedInformers of(KubeClient client) {
        return new SharedInformers(client);
    }

    /** Returns the informer of all objects of a type. */
    public Informer get(ResourceType type) {
        return get(type, ListOptions.all());
    }

    /**
     * Returns the informer of a selection; the page size does not matter. A new one is not started:
     * a controller does so, or {@link #start}.
     */
    public synchronized Informer get(ResourceType type, ListOptions options) {
        if (closed) {
            throw new IllegalStateException("the informers are closed");
        }
        return informers.computeIfAbsent(
                new Scope(type, options.pageSize(0)),
                scope -> Informer.of(client, type).options(scope.options()).build());
    }

    private synchronized List<Informer> all() {
        return List.copyOf(informers.values());
    }

    /** Starts those that were asked for since the last call. */
    public void start() {
        all().forEach(Informer::start);
    }

    /**
     * Waits until all are synced that were asked for.
     *
     * @throws TimeoutException if it takes longer; the message names the first that is not
     */
    public void awaitSync(Duration timeout) throws TimeoutException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (var informer : all()) {
            informer.awaitSync(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
    }

    /** Closes all of them; no handler is called after this returns. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        all().forEach(Informer::close);
    }
}
