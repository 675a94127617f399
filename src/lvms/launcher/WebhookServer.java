package lvms.launcher;

import lvms.k8s.admission.WebhookCertificate;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Answers webhooks as soon as there is a certificate for them. If a configuration has the API
 * server ask, and nobody else is to write its authority, the operator makes the certificate.
 */
final class WebhookServer implements AutoCloseable {
    /** Annotations by which OpenShift's service CA and cert-manager write a {@code caBundle}. */
    private static final List<String> INJECTORS =
            List.of(
                    "service.beta.openshift.io/inject-cabundle",
                    "cert-manager.io/inject-ca-from",
                    "cert-manager.io/inject-ca-from-secret",
                    "cert-manager.io/inject-apiserver-ca");

    private final KubeClient kube;
    private final ObjectKey service;
    private final List<WebhookConfiguration> configurations;
    private final Place place;
    private final LatePort port;
    private WebhookCertificate own;

    /**
     * Where and how.
     *
     * @param folder has the certificate, if somebody else makes it
     * @param period how often what is missing is looked for
     */
    record Place(InetSocketAddress address, Path folder, PortTls tls, Duration period) {}

    WebhookServer(
            KubeClient kube,
            ObjectKey service,
            List<WebhookConfiguration> configurations,
            Place place,
            HttpHandler pages) {
        this.kube = kube;
        this.service = service;
        this.configurations = List.copyOf(configurations);
        this.place = place;
        port = LatePort.start("webhooks", place.period(), () -> open(pages));
    }

    private Optional<HttpListener> open(HttpHandler pages)
            throws IOException, ApiException, InterruptedException {
        var mounted = place.tls().ofFolder(place.folder(), "webhooks", kube.metrics());
        if (mounted.isEmpty() && !isWanted()) {
            return Optional.empty();
        }
        var tls = mounted.isPresent() ? mounted.get() : madeHere();
        return Optional.of(
                HttpListener.start(place.address(), Limits.REVIEWS, Optional.of(tls), pages));
    }

    private boolean isWanted() throws ApiException, InterruptedException {
        for (var configuration : configurations) {
            var found = kube.find(configuration.type(), configuration.key());
            if (found.filter(asked -> !isInjected(asked)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInjected(KubeObject configuration) {
        return INJECTORS.stream().anyMatch(name -> configuration.annotation(name).isPresent());
    }

    private ServerTls madeHere() throws IOException, ApiException, InterruptedException {
        try {
            if (own == null) {
                own = WebhookCertificate.start(kube, service, configurations);
            }
            return ServerTls.of(
                    new CurrentKey(() -> Optional.of(own.current())), place.tls().bounds());
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate can be made: " + e.getMessage(), e);
        }
    }

    boolean isOpen() {
        return port.isOpen();
    }

    @Override
    public void close() {
        port.close();
        if (own != null) {
            own.close();
        }
    }
}
