package lvms.k8s.admission;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tls.TrustBundle;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The certificate of a process that answers webhooks, issued by an authority of its own, whose key
 * no Secret keeps. The process makes it, makes another one long before it ends, and writes into the
 * webhooks' configurations that the API server shall trust the authority. Authorities of other
 * processes stay there until they end.
 *
 * <p>The client's account needs {@code get} and {@code patch} on the configurations. Whoever has
 * that can have the API server send objects of all kinds to himself, so such an account is as good
 * as an administrator.
 */
public final class WebhookCertificate implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WebhookCertificate.class.getName());
    private static final Duration VALIDITY = Duration.ofDays(7);
    private static final Duration RENEWAL = Duration.ofDays(5);
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final KubeClient kube;
    private final ObjectKey service;
    private final List<WebhookConfiguration> configurations;
    private final InstantSource clock;
    private final Duration period;
    private final Thread keeper = Thread.ofVirtual().name("webhook-trust").unstarted(this::keep);
    private volatile CertifiedKey serving;
    private CertifiedKey newest;

    private WebhookCertificate(
            KubeClient kube,
            ObjectKey service,
            List<WebhookConfiguration> configurations,
            InstantSource clock,
            Duration period)
            throws GeneralSecurityException {
        this.kube = kube;
        this.service = service;
        this.configurations = List.copyOf(configurations);
        this.clock = clock;
        this.period = period;
        newest = issue();
        serving = newest;
    }

    /**
     * Makes a certificate for a service and keeps it trusted.
     *
     * @param service by which the API server reaches the webhooks
     * @param configurations those that are not there are waited for
     */
    public static WebhookCertificate start(
            KubeClient kube, ObjectKey service, List<WebhookConfiguration> configurations)
            throws GeneralSecurityException {
        return start(kube, service, configurations, InstantSource.system(), PERIOD);
    }

    static WebhookCertificate start(
            KubeClient kube,
            ObjectKey service,
            List<WebhookConfiguration> configurations,
            InstantSource clock,
            Duration period)
            throws GeneralSecurityException {
        var made = new WebhookCertificate(kube, service, configurations, clock, period);
        made.keeper.start();
        return made;
    }

    /** Returns the one to show to the API server now. */
    public CertifiedKey current() {
        return serving;
    }

    private CertifiedKey issue() throws GeneralSecurityException {
        var name = service.name() + "." + service.namespace() + ".svc";
        var authority = Authority.make(service.name(), clock.instant(), VALIDITY);
        return authority.server(service.name(), List.of(name), List.of());
    }

    private void keep() {
        try {
            while (true) {
                round();
                Thread.sleep(period);
            }
        } catch (InterruptedException _) {
            LOG.log(INFO, "webhooks' certificate is no longer kept");
        }
    }

    /**
     * A new certificate is shown a round after the API server was told, so that each of its
     * instances has heard of it.
     */
    private void round() throws InterruptedException {
        try {
            if (isOld(newest, clock.instant())) {
                newest = issue();
                LOG.log(INFO, () -> "new certificate for webhooks service=" + service);
            }
            boolean known = true;
            for (var configuration : configurations) {
                known &= knows(configuration);
            }
            if (known) {
                serving = newest;
            }
        } catch (ApiException | GeneralSecurityException e) {
            LOG.log(WARNING, () -> "webhooks' certificate may not be trusted cause=" + e);
        }
    }

    /** A clock that is put back makes a certificate worthless that is not valid yet. */
    private static boolean isOld(CertifiedKey key, Instant now) {
        var from = key.chain().getFirst().getNotBefore().toInstant();
        return now.isBefore(from) || now.isAfter(from.plus(RENEWAL));
    }

    /** Returns whether a configuration had the authority already; writes it there if not. */
    private boolean knows(WebhookConfiguration configuration)
            throws ApiException, InterruptedException {
        var found = kube.find(configuration.type(), configuration.key());
        if (found.isEmpty()) {
            return true; // nobody asks
        }
        var patch = patch(found.get(), newest.chain().getLast());
        if (patch.json().size() > 1) {
            kube.jsonPatch(configuration.type(), configuration.key(), patch);
            LOG.log(INFO, () -> "authority of webhooks written configuration=" + configuration);
            return false;
        }
        return true;
    }

    private JsonPatch patch(KubeObject configuration, X509Certificate authority) {
        var patch =
                JsonPatch.create()
                        .test(configuration.resourceVersion(), "metadata", "resourceVersion");
        var webhooks = configuration.objects("webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            var client = webhooks.get(i).object("clientConfig").orElseThrow();
            var bundle = TrustBundle.of(client.text("caBundle").orElse(""));
            if (!bundle.trusts(authority)) {
                var more = bundle.with(authority, clock.instant()).base64();
                patch =
                        patch.replace(
                                client.toBuilder().put("caBundle", more).build(),
                                "webhooks",
                                "" + i,
                                "clientConfig");
            }
        }
        return patch;
    }

    @Override
    public void close() {
        keeper.interrupt();
        try {
            keeper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
