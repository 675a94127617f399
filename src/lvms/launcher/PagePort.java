package lvms.launcher;

import lvms.k8s.client.KubeClient;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.TokenGate;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** Where and how a process of the cluster serves pages for people and scrapers. */
sealed interface PagePort {
    /** What is served: its name in the log, what a client may cost, and the answers. */
    record Pages(String name, Limits limits, HttpHandler handler) {}

    AutoCloseable serve(KubeClient kube, Pages pages, PortTls tls) throws IOException;

    /** Returns the folder of the certificate, if there is one. */
    Optional<Path> certificates();

    /** In plain text, for all who reach it. */
    record Plain(InetSocketAddress address) implements PagePort {
        @Override
        public AutoCloseable serve(KubeClient kube, Pages pages, PortTls tls) throws IOException {
            return HttpListener.start(address, pages.limits(), pages.handler());
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
    record Secured(InetSocketAddress address, Path folder) implements PagePort {
        @Override
        public Optional<Path> certificates() {
            return Optional.of(folder);
        }

        @Override
        public AutoCloseable serve(KubeClient kube, Pages pages, PortTls bounds) {
            var gated = TokenGate.of(kube).before(pages.handler());
            return LatePort.start(
                    pages.name(),
                    LatePort.PERIOD,
                    () -> {
                        var tls = bounds.ofFolder(folder, pages.name(), kube.metrics());
                        return tls.isEmpty()
                                ? Optional.empty()
                                : Optional.of(
                                        HttpListener.start(address, pages.limits(), tls, gated));
                    });
        }
    }
}
