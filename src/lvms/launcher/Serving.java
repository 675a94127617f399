package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.controller.Manager;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.health.Check;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.tree.ListTree;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.node.doctor.HistorySocket;
import lvms.profiling.ProfilingPages;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A process that serves until it is told to end: closes what was opened, in reverse order, however
 * far the start got, and says when it is ready and when it ends.
 */
final class Serving implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("lvms");

    /** The flag that says where health is served. */
    static final Flag HEALTH =
            new Flag(
                    "health-probe-bind-address",
                    Flag.Kind.ADDRESS,
                    ":8081",
                    "address of /healthz and /readyz; 0 turns them off");

    private final String name;
    private final Manager manager;

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
        this.manager = Manager.named(name, halt);
        closing(new HeapKeeper()).start();
    }

    /** Closes the part at the end; returns it. */
    <T extends AutoCloseable> T closing(T part) {
        return manager.closing(part);
    }

    /** The same for what holds a lease: it is closed as well before the process is halted. */
    <T extends AutoCloseable> T closingLease(T lease) {
        return manager.closingLease(lease);
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
            var all = new ArrayList<>(ready);
            all.add(manager.notEnding());
            closing(HealthServer.start(address.get(), List.of(alive), all));
        }
    }

    /** Serves metrics to those whom this cluster lets read them. */
    void metrics(Optional<PagePort> port, KubeClient kube, MetricsRegistry metrics, PortTls tls)
            throws IOException {
        pages(port, kube, HealthServer.metricsPage(metrics), tls);
    }

    /** Serves metrics, and other pages on the same port, to those who may read each path. */
    void pages(Optional<PagePort> port, KubeClient kube, HttpHandler handler, PortTls tls)
            throws IOException {
        if (port.isPresent()) {
            var pages = new PagePort.Pages("metrics", Limits.CALLERS, handler);
            closing(port.get().serve(kube, pages, tls));
        }
    }

    /** Gives the history of pools to commands in this container; an agent works without it. */
    void history(Supplier<ListTree> history) {
        try {
            closing(HistorySocket.serve(HistorySocket.PATH, history));
        } catch (IOException e) {
            LOG.log(WARNING, () -> "reports have no history of pools error=" + e);
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
        manager.end(code);
    }

    /** Ends the process with this code, on the spot if parts are still open after the limit. */
    void endWithin(int code, Duration limit) {
        manager.endWithin(code, limit);
    }

    /**
     * Returns what begins the work once this process leads, and ends the process when it has lost
     * the lease, before another one can have it.
     */
    LeaderElector.Listener leading(Runnable work, Duration margin) {
        return manager.whenLeading(work, margin);
    }

    /** Waits this long, or until the process has to end; returns whether it has to. */
    boolean endsWithin(Duration time) throws InterruptedException {
        return manager.endsWithin(time);
    }

    /** Waits until the process has to end; returns the exit code. */
    int awaitEnd() throws InterruptedException {
        return manager.awaitEnd();
    }

    @Override
    public void close() {
        manager.close();
    }
}
