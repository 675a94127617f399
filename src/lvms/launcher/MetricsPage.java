package lvms.launcher;

import lvms.k8s.client.KubeClient;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TokenGate;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where a process of the cluster serves {@code /metrics}.
 *
 * @param tls for whoever is on the network: over HTTPS, to those whom the API server allows to read
 *     the page. If empty, in plain text and to all, so on loopback
 */
record MetricsPage(InetSocketAddress address, Optional<ServerTls> tls) {
    AutoCloseable serve(KubeClient kube, MetricsRegistry metrics) throws IOException {
        if (tls.isEmpty()) {
            return HealthServer.metrics(address, metrics);
        }
        var page = TokenGate.of(kube).before(HealthServer.metricsPage(metrics));
        return HttpListener.start(address, Limits.CALLERS, tls, page);
    }
}
