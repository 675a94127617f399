package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.health.Check;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.profiling.ProfilingPages;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * A process that serves until it is told to end: closes what was opened, in reverse order, however
 * far the start got, and says when it is ready and when it ends.
 */
final class Serving implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("lvms");

    /**
     * Parts close within this time. If the pod's grace period is shorter, the kernel ends what
     * takes longer, and the next process finds what is left.
     */
    private static final Duration GRACE = Duration.ofSeconds(25);

    /** The flag that says where health is served. */
    static final Flag HEALTH =
            new Flag(
                    "health-probe-bind-address",
                    Flag.Kind.ADDRESS,
                    ":8081",
                    "address of /healthz and /readyz; 0 turns them off");

    private final String name;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger exitCode = new AtomicInteger();
    private final IntConsumer halt;

    Serving(String name) {
        this(name, Runtime.getRuntime()::halt);
    }

    /**
     * Begins serving.
     *
     * @param halt ends the process on the spot with an exit code
     */
    Serving(String name, IntConsumer halt) {
        this.name = name;
        this.halt = halt;
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::endBySignal));
        closing(new HeapKeeper()).start();
    }

    /** The JVM would end with a code that says how it was told to, which is no failure. */
    private void endBySignal() {
        if (closed.getCount() == 0) {
            return; // the command ended by itself, with a code of its own
        }
        end.countDown();
        try {
            if (SecondSignal.await(closed, GRACE)) {
                halt.accept(exitCode.get());
            } else if (SecondSignal.came()) {
                LOG.log(ERROR, () -> name + " is halted by a second signal");
                halt.accept(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the part at the end; returns it. */
    <T extends AutoCloseable> T closing(T part) {
        opened.push(part);
        return part;
    }

    /** A client for the cluster that the environment names; its writes carry the given name. */
    KubeClient client(String name, MetricsRegistry metrics) throws UsageException {
        var version = VersionCommand.version();
        try {
            var config = KubeConfig.load(Optional.empty());
            LOG.log(INFO, () -> this.name + " starts version=" + version + " server=" + config);
            return closing(
                    KubeClient.open(config, name + "/" + version, metrics).withFieldManager(name));
        } catch (KubeConfigException e) {
            throw new UsageException("cannot find a Kubernetes cluster: " + e.getMessage());
        }
    }

    /** Serves health where the flag says. */
    void health(Flags flags, Check... ready) throws IOException {
        health(flags, Check.PING, List.of(ready));
    }

    /** The same with something else that says whether the process lives. */
    void health(Flags flags, Check alive, List<Check> ready) throws IOException {
        var address = flags.address(HEALTH.name());
        if (address.isPresent()) {
            closing(HealthServer.start(address.get(), List.of(alive), ready));
        }
    }

    /** Serves metrics to those whom this cluster lets read them. */
    void metrics(Optional<PagePort> port, KubeClient kube, MetricsRegistry metrics, PortTls tls)
            throws IOException {
        if (port.isPresent()) {
            var page = HealthServer.metricsPage(metrics);
            var pages = new PagePort.Pages("metrics", Limits.CALLERS, page);
            closing(port.get().serve(kube, pages, tls));
        }
    }

    /** Serves what the process tells of itself to those whom this cluster lets read it. */
    void profiling(Optional<PagePort> port, KubeClient kube, PortTls tls) throws IOException {
        if (port.isPresent()) {
            var pages =
                    new PagePort.Pages(
                            "profiling pages", ProfilingPages.LIMITS, new ProfilingPages());
            closing(port.get().serve(kube, pages, tls));
        }
    }

    /** Serves what a process without a cluster tells of itself, on loopback alone. */
    void profiling(Flags flags) throws IOException {
        profiling(flags.address(TopolvmFlags.PROFILING.name()));
    }

    void profiling(Optional<InetSocketAddress> address) throws IOException {
        if (address.isEmpty()) {
            return;
        }
        if (address.get().getAddress().isLoopbackAddress()) {
            var pages = new ProfilingPages();
            closing(HttpListener.start(address.get(), ProfilingPages.LIMITS, pages));
        } else {
            LOG.log(
                    WARNING,
                    () ->
                            "profiling pages are not served, since nobody here can say who may"
                                    + " read them: give an address of loopback address="
                                    + address.get());
        }
    }

    /** Serves metrics at the address, if there is one, in plain text. */
    void metrics(Optional<InetSocketAddress> address, MetricsRegistry metrics) throws IOException {
        if (address.isPresent()) {
            closing(HealthServer.metrics(address.get(), metrics));
        }
    }

    /** Ends the process with this code. Any thread may call. */
    void end(int code) {
        exitCode.compareAndSet(0, code);
        end.countDown();
    }

    /** Ends the process with this code, on the spot if parts are still open after the limit. */
    void endWithin(int code, Duration limit) {
        Thread.ofPlatform().daemon().name("end").start(() -> haltAfter(code, limit));
        end(code);
    }

    private void haltAfter(int code, Duration limit) {
        try {
            if (closed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            LOG.log(ERROR, "interrupted while parts were closing");
        }
        LOG.log(ERROR, () -> name + " is halted, since parts are still open after " + limit);
        halt.accept(code);
    }

    /** Waits this long, or until the process has to end; returns whether it has to. */
    boolean endsWithin(Duration time) throws InterruptedException {
        return end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the process has to end; returns the exit code. */
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
