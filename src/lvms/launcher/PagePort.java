package lvms.launcher;

import lvms.k8s.client.KubeClient;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.serving.TokenGate;
import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
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
     * The same with a certificate that this process makes, which no client can check, as
     * controllers of Kubernetes do.
     */
    record SelfMade(InetSocketAddress address) implements PagePort {
        /** Longer than any process runs. */
        private static final Duration VALIDITY = Duration.ofDays(3650);

        @Override
        public Optional<Path> certificates() {
            return Optional.empty();
        }

        @Override
        public AutoCloseable serve(KubeClient kube, Pages pages, PortTls bounds)
                throws IOException {
            var gated = TokenGate.of(kube).before(pages.handler());
            try {
                var own =
                        Authority.make("lvms", VALIDITY)
                                .server("localhost", List.of("localhost"), List.of());
                var tls =
                        ServerTls.of(
                                new CurrentKey(() -> Optional.of(own)), () -> TlsBounds.DEFAULT);
                return HttpListener.start(address, pages.limits(), Optional.of(tls), gated);
            } catch (GeneralSecurityException e) {
                throw new IOException("no certificate can be made: " + e.getMessage(), e);
            }
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
