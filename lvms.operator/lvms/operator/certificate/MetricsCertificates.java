package lvms.operator.certificate;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Keeps certificates for {@code /metrics} in the Secrets of operator and node agents, where these
 * Secrets ask the operator for it by their key {@code issuer}. They reach the processes as those of
 * any other issuer do: mounted by kubelet.
 *
 * <p>Whether anybody asks is read from the Secret in the operator's own pod. So a cluster that has
 * another issuer, or no metrics, costs no request and no right. The client's account needs {@code
 * get} and {@code patch} on the two Secrets.
 */
public final class MetricsCertificates implements AutoCloseable {
    /** The names of the Secrets are those of LVMS. */
    private static final List<Server> SERVERS =
            List.of(
                    new Server(Names.OPERATOR + "-metrics-cert", Names.OPERATOR),
                    new Server(Names.VG_MANAGER + "-metrics-cert", Names.VG_MANAGER));

    private static final System.Logger LOG = System.getLogger(MetricsCertificates.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final KubeClient kube;
    private final String namespace;
    private final Path mounted;
    private final InstantSource clock;
    private final Duration period;
    private final Thread keeper = Thread.ofVirtual().name("metrics-cert").unstarted(this::keep);
    private String trouble = "";

    private record Server(String secret, String process) {
        String dnsName(String namespace) {
            return process + "-metrics-service." + namespace + ".svc";
        }
    }

    /**
     * @param mounted folder where the operator's own Secret is mounted, if there is one
     */
    public MetricsCertificates(KubeClient kube, String namespace, Path mounted) {
        this(kube, namespace, mounted, InstantSource.system(), PERIOD);
    }

    MetricsCertificates(
            KubeClient kube, String namespace, Path mounted, InstantSource clock, Duration period) {
        this.kube = kube;
        this.namespace = namespace;
        this.mounted = mounted;
        this.clock = clock;
        this.period = period;
    }

    /** Looks now and then until it is closed. Only one process of a cluster should. */
    public void start() {
        keeper.start();
    }

    private void keep() {
        try {
            while (true) {
                if (isAskedFor()) {
                    round();
                }
                Thread.sleep(period);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "certificates for metrics are no longer kept");
        }
    }

    private boolean isAskedFor() {
        try {
            var issuer = mounted.resolve(ServingSecret.ISSUER);
            return Files.exists(issuer)
                    && Files.readString(issuer, StandardCharsets.UTF_8).equals(Names.OPERATOR);
        } catch (IOException e) {
            say("the Secret of the operator's metrics cannot be read: " + e);
            return false;
        }
    }

    private void round() throws InterruptedException {
        for (var server : SERVERS) {
            try {
                keep(server);
            } catch (ApiException | GeneralSecurityException e) {
                say("no certificate for metrics in the Secret " + server.secret() + ": " + e);
            }
        }
    }

    private void keep(Server server)
            throws ApiException, GeneralSecurityException, InterruptedException {
        var key = ObjectKey.of(namespace, server.secret());
        var found = kube.find(Types.SECRET, key);
        if (found.isPresent()) {
            var present = new ServingSecret(found.get().object("data").orElse(ObjectTree.EMPTY));
            if (present.isIssuedBy(Names.OPERATOR)) {
                write(found.get(), present, present.at(clock.instant(), server.dnsName(namespace)));
            }
        }
    }

    private void write(KubeObject secret, ServingSecret present, ServingSecret wanted)
            throws ApiException, InterruptedException {
        if (wanted.equals(present)) {
            return;
        }
        kube.jsonPatch(
                Types.SECRET,
                secret.key(),
                JsonPatch.create()
                        .test(secret.resourceVersion(), "metadata", "resourceVersion")
                        .replace(wanted.data(), "data"));
        LOG.log(INFO, () -> "certificate for metrics written secret=" + secret.key());
    }

    /** Once for each reason in a row. */
    private void say(String reason) {
        if (!trouble.equals(reason)) {
            trouble = reason;
            LOG.log(WARNING, reason);
        }
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
