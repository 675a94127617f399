package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.KubeConfig;
import lvms.k8s.client.KubeConfigException;
import lvms.k8s.health.Check;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that serves until it is told to end: closes what was opened in reverse order, however
 * far the start came, and says when it is ready and when it ends.
 */
final class Serving implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("lvms");

    /**
     * A process that the kernel has to kill leaves mounts and locks to the next; this is kubelet's
     * grace less a little.
     */
    private static final long GRACE_SECONDS = 25;

    private final String name;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger exitCode = new AtomicInteger();

    Serving(String name) {
        this.name = name;
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::endBySignal));
    }

    private void endBySignal() {
        end.countDown();
        try {
            closed.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has it closed at the end; returns it. */
    <T extends AutoCloseable> T closing(T part) {
        opened.push(part);
        return part;
    }

    /** A client for the cluster that the environment names. */
    KubeClient client(String userAgent, MetricsRegistry metrics) throws UsageException {
        try {
            var config = KubeConfig.load(Optional.empty());
            LOG.log(
                    INFO,
                    () ->
                            name
                                    + " starts version="
                                    + VersionCommand.version()
                                    + " server="
                                    + config);
            return closing(
                    KubeClient.open(config, userAgent + "/" + VersionCommand.version(), metrics));
        } catch (KubeConfigException e) {
            throw new UsageException("no cluster to work with: " + e.getMessage());
        }
    }

    /** Serves health at the address, if there is one. */
    void health(Optional<InetSocketAddress> address, Check... ready) throws IOException {
        if (address.isPresent()) {
            closing(HealthServer.start(address.get(), List.of(Check.PING), List.of(ready)));
        }
    }

    /**
     * Serves metrics at the address, if there is one.
     *
     * @throws UsageException for an address that others can reach: there is no authentication yet
     */
    void metrics(String flag, Optional<InetSocketAddress> address, MetricsRegistry metrics)
            throws IOException, UsageException {
        if (address.isEmpty()) {
            return;
        }
        if (!address.get().getAddress().isLoopbackAddress()) {
            throw new UsageException(
                    "flag --"
                            + flag
                            + ": metrics are served without authentication, so only on a loopback"
                            + " address");
        }
        closing(HealthServer.metrics(address.get(), metrics));
    }

    /** Ends the process with this code. Any thread may call. */
    void end(int code) {
        exitCode.compareAndSet(0, code);
        end.countDown();
    }

    /** Waits until the process is to end; returns the exit code. */
    int awaitEnd() throws InterruptedException {
        end.await();
        LOG.log(INFO, () -> name + " ends");
        return exitCode.get();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            var part = opened.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(ERROR, "part did not close part=" + part.getClass().getSimpleName(), e);
            }
        }
        closed.countDown();
    }
}
