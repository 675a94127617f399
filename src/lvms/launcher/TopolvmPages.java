package lvms.launcher;

import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.TlsBounds;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Where TopoLVM's programs of the cluster serve {@code /metrics} and the profiling pages. */
final class TopolvmPages {
    private static final String ADDRESS = "metrics-bind-address";
    private static final String SECURE = "secure-metrics-server";
    private static final PortTls TLS = () -> () -> TlsBounds.DEFAULT;

    static final List<Flag> FLAGS =
            List.of(
                    new Flag(
                            ADDRESS,
                            Flag.Kind.ADDRESS,
                            ":8080",
                            "address of /metrics; 0 turns it off"),
                    new Flag(
                            SECURE,
                            Flag.Kind.SWITCH,
                            "false",
                            "serve /metrics over HTTPS, and only to those who may read it"));

    private TopolvmPages() {}

    static boolean hasMetrics(Flags flags) {
        return flags.address(ADDRESS).isPresent();
    }

    static void serve(Serving serving, Flags flags, KubeClient kube, MetricsRegistry metrics)
            throws IOException {
        var ofMetrics =
                flags.address(ADDRESS)
                        .<PagePort>map(
                                address ->
                                        flags.on(SECURE)
                                                ? new PagePort.SelfMade(address)
                                                : new PagePort.Plain(address));
        serving.metrics(ofMetrics, kube, metrics, TLS);
        serving.profiling(profiling(flags), kube, TLS);
    }

    /** A thread dump is not for everybody who reaches a port, as TopoLVM's pages are. */
    private static Optional<PagePort> profiling(Flags flags) {
        return flags.address(TopolvmFlags.PROFILING.name()).map(TopolvmPages::guarded);
    }

    private static PagePort guarded(InetSocketAddress address) {
        return address.getAddress().isLoopbackAddress()
                ? new PagePort.Plain(address)
                : new PagePort.SelfMade(address);
    }
}
