package lvms.launcher;

import lvms.k8s.client.ApiException;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TlsFlags;
import lvms.launcher.flag.UsageException;
import lvms.operator.openshift.ClusterTls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** What every port with TLS accepts. No port is opened before that is known. */
@FunctionalInterface
interface PortTls {
    /**
     * Returns what counts at each handshake.
     *
     * @throws ApiException if the cluster has to be asked and does not answer
     */
    Supplier<TlsBounds> bounds() throws ApiException, InterruptedException;

    /**
     * Serves with the certificate in a folder, and measures when that ends; empty if there is none.
     *
     * @param port its name in the metric
     * @throws IOException if it cannot be used
     */
    default Optional<ServerTls> ofFolder(Path folder, String port, MetricsRegistry metrics)
            throws IOException, ApiException, InterruptedException {
        var tls = TlsFlags.ofFolder(folder, bounds());
        tls.ifPresent(served -> served.measure(metrics, port));
        return tls;
    }

    /** Goes by the flags, and by defaults without them. */
    static PortTls of(Flags flags) throws UsageException {
        var bounds = TlsFlags.bounds(flags);
        return () -> () -> bounds;
    }

    /** Goes by the flags, and by what the cluster asks for without them. */
    static PortTls of(Flags flags, ClusterTls cluster) throws UsageException {
        if (!TlsFlags.given(flags).isEmpty()) {
            return of(flags);
        }
        return () -> {
            cluster.profile();
            return cluster::bounds;
        };
    }
}
