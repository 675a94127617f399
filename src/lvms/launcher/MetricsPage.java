package lvms.launcher;

import lvms.k8s.client.KubeClient;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.TokenGate;
import lvms.launcher.flag.TlsFlags;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** Where and how a process of the cluster serves {@code /metrics}. */
sealed interface MetricsPage {
    AutoCloseable serve(KubeClient kube, MetricsRegistry metrics, PortTls tls) throws IOException;

    /** Returns the folder of the certificate, if there is one. */
    Optional<Path> certificates();

    /** In plain text, for all who reach it. */
    record Plain(InetSocketAddress address) implements MetricsPage {
        @Override
        public AutoCloseable serve(KubeClient kube, MetricsRegistry metrics, PortTls tls)
                throws IOException {
            return HealthServer.metrics(address, metrics);
        }

        @Override
        public Optional<Path> certificates() {
            return Optional.empty();
        }
    }

    /**
     * Over HTTPS, for those whom the API server allows to read the page.
     *
     * @param folder has the certificate, perhaps later
     */
    record Secured(InetSocketAddress address, Path folder) implements MetricsPage {
        @Override
        public Optional<Path> certificates() {
            return Optional.of(folder);
        }

        @Override
        public AutoCloseable serve(KubeClient kube, MetricsRegistry metrics, PortTls bounds) {
            var page = TokenGate.of(kube).before(HealthServer.metricsPage(metrics));
            return LatePort.start(
                    "metrics",
                    LatePort.PERIOD,
                    () -> {
                        var tls = TlsFlags.ofFolder(folder, bounds.bounds());
                        return tls.isEmpty()
                                ? Optional.empty()
                                : Optional.of(
                                        HttpListener.start(address, Limits.CALLERS, tls, page));
                    });
        }
    }
}
