package lvms.operator.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The operator makes certificates for metrics where two Secrets ask for it, and nowhere else. */
@Timeout(120)
class MetricsCertificatesTests {
    private static final Path SECRETS = Path.of("deploy/monitoring/own-certificates/secrets.yaml");
    private static final ObjectKey OPERATOR =
            ObjectKey.of("lvms-system", "lvms-operator-metrics-cert");
    private static final ObjectKey AGENTS = ObjectKey.of("lvms-system", "vg-manager-metrics-cert");
    private static final Duration PERIOD = Duration.ofMillis(20);

    /** Long enough for many looks. */
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @TempDir private Path mounted;
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private ApiServer api;
    private KubeClient kube;
    private MetricsCertificates certificates;

    @BeforeEach
    void open() throws Exception {
        api = Servers.start();
        kube = KubeClient.open(api.config(), "tests/1").withFieldManager("tests");
        kube.create(
                Types.NAMESPACE,
                KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("lvms-system")));
        certificates = new MetricsCertificates(kube, "lvms-system", mounted, now::get, PERIOD);
        certificates.start();
    }

    @AfterEach
    void close() throws Exception {
        certificates.close();
        kube.close();
        api.close();
    }

    private void applySecrets() throws Exception {
        for (var tree : Yaml.readAll(Files.readString(SECRETS))) {
            kube.apply(Types.SECRET, KubeObject.of(tree.asObject()));
        }
    }

    /** As kubelet does it a little later. */
    private void mount() throws Exception {
        Files.writeString(mounted.resolve("issuer"), "lvms-operator");
    }

    private String text(ObjectKey secret, String member) throws Exception {
        return kube.get(Types.SECRET, secret).text("data", member).orElse("");
    }

    private void awaitCertificate(ObjectKey secret) throws Exception {
        while (text(secret, "tls.crt").isEmpty()) {
            Thread.sleep(PERIOD); // until the timeout of the test
        }
    }

    private long asked() {
        return api.faults().requests().stream()
                .filter(request -> request.target().contains("/secrets/"))
                .count();
    }

    @Test
    void whereNobodyAsksNothingIsRead() throws Exception {
        Thread.sleep(A_WHILE);
        assertEquals(0, asked());
    }

    @Test
    void bothSecretsGetACertificateWithItsAuthority() throws Exception {
        applySecrets();
        mount();
        for (var secret : List.of(OPERATOR, AGENTS)) {
            awaitCertificate(secret);
            for (var member : List.of("tls.key", "ca.crt", "issuer")) {
                assertTrue(!text(secret, member).isEmpty(), member);
            }
        }
    }

    @Test
    void toApplyTheSecretsAgainChangesNothing() throws Exception {
        applySecrets();
        mount();
        awaitCertificate(AGENTS);
        var before = kube.get(Types.SECRET, AGENTS).object("data");
        applySecrets();
        Thread.sleep(A_WHILE);
        assertEquals(before, kube.get(Types.SECRET, AGENTS).object("data"));
    }

    @Test
    void aSecretOfAnotherIssuerIsLeftToIt() throws Exception {
        applySecrets();
        kube.delete(Types.SECRET, AGENTS, DeleteOptions.any());
        var theirs =
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: vg-manager-metrics-cert, namespace: lvms-system}
                data: {tls.crt: "AAAA"}
                """;
        kube.create(Types.SECRET, KubeObject.of(Yaml.read(theirs).asObject()));
        mount();
        awaitCertificate(OPERATOR);
        Thread.sleep(A_WHILE);
        assertEquals("AAAA", text(AGENTS, "tls.crt"));
    }

    @Test
    void aDeletedSecretThatIsAppliedAgainIsFilledAgain() throws Exception {
        applySecrets();
        mount();
        awaitCertificate(AGENTS);
        kube.delete(Types.SECRET, AGENTS, DeleteOptions.any());
        applySecrets();
        awaitCertificate(AGENTS);
    }

    @Test
    void aNewCertificateIsServedBeforeTheOldOneEnds() throws Exception {
        applySecrets();
        mount();
        awaitCertificate(OPERATOR);
        var first = text(OPERATOR, "tls.crt");
        now.updateAndGet(time -> time.plus(ServingSecret.RENEWAL));
        while (text(OPERATOR, "next.crt").isEmpty()) {
            Thread.sleep(PERIOD); // until the timeout of the test
        }
        assertEquals(first, text(OPERATOR, "tls.crt"));
        now.updateAndGet(time -> time.plus(ServingSecret.NOTICE));
        while (text(OPERATOR, "tls.crt").equals(first)) {
            Thread.sleep(PERIOD); // until the timeout of the test
        }
    }
}
