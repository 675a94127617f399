package lvms.k8s.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.k8s.tls.CurrentKey;
import lvms.k8s.tls.TrustBundle;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The API server asks a process at its Service, and trusts the certificate that it made. */
@Timeout(60)
class WebhookCertificateTests {
    private static final ObjectKey SERVICE = ObjectKey.of("default", "hooks");
    private static final WebhookConfiguration NAMES = WebhookConfiguration.validating("names");
    private static final String CONFIGURATION =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata:
              name: names
            webhooks:
              - name: names.example.com
                admissionReviewVersions: [v1]
                sideEffects: None
                failurePolicy: Fail
                clientConfig:
                  service: {name: hooks, namespace: default, path: /names}
                rules:
                  - apiGroups: [""]
                    apiVersions: [v1]
                    operations: [CREATE]
                    resources: [configmaps]
            """;

    /** The clock of the certificate's maker; the API server has another one. */
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.now().minus(Duration.ofDays(5)));

    private ApiServer api;
    private KubeClient kube;
    private WebhookCertificate certificate;
    private HttpListener listener;

    @BeforeEach
    void open() throws Exception {
        api = ApiServer.start();
        kube = KubeClient.open(api.config(), "tests/1").withFieldManager("tests");
        certificate =
                WebhookCertificate.start(
                        kube, SERVICE, List.of(NAMES), now::get, Duration.ofMillis(20));
        var key = new CurrentKey(() -> Optional.of(certificate.current()));
        Admission noBs =
                request ->
                        request.object().orElseThrow().name().contains("b")
                                ? AdmissionAnswer.denied("no b in a name", List.of("b is odd"))
                                : AdmissionAnswer.allowed(List.of("names may change"));
        listener =
                HttpListener.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Limits.CALLERS,
                        Optional.of(ServerTls.of(key, () -> TlsBounds.DEFAULT)),
                        new AdmissionPages(Map.of("/names", noBs)));
        api.routeService(SERVICE.namespace(), SERVICE.name(), listener.address());
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
        certificate.close();
        kube.close();
        api.close();
    }

    private void configure() throws Exception {
        kube.apply(NAMES.type(), KubeObject.of(Yaml.read(CONFIGURATION).asObject()));
    }

    /** Returns why a ConfigMap is refused; empty if it is taken. */
    private String create(String name) throws Exception {
        try {
            var key = ObjectKey.of("default", name);
            kube.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, key));
            return "";
        } catch (ApiException e) {
            return e.getMessage();
        }
    }

    private void awaitRefusal(String name) throws Exception {
        while (!create(name).contains("denied the request: no b in a name")) {
            Thread.sleep(20); // until the timeout of the test
        }
    }

    private String bundle() throws Exception {
        return kube.get(NAMES.type(), NAMES.key())
                .objects("webhooks")
                .getFirst()
                .text("clientConfig", "caBundle")
                .orElse("");
    }

    @Test
    void aConfigurationThatComesLaterGetsTheAuthority() throws Exception {
        configure();
        awaitRefusal("b1");
        assertEquals("", create("a1"));
    }

    @Test
    @Behaviour(92)
    void aDenialAndWarningsReachAPersonWithKubectl(@TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        configure();
        awaitRefusal("b1");
        var kubectl = new Kubectl(api, folder);
        var refused = kubectl.run("create", "configmap", "b2");
        assertNotEquals(0, refused.code());
        var denial = "admission webhook \"names.example.com\" denied the request: no b in a name";
        assertTrue(refused.output().contains(denial), refused.output());
        assertTrue(refused.output().contains("Warning: b is odd"), refused.output());
        var taken = kubectl.succeed("create", "configmap", "a2");
        assertTrue(taken.contains("Warning: names may change"), taken);
        var key = ObjectKey.of("default", "b3");
        assertThrows(
                ApiException.Forbidden.class,
                () -> kube.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, key)));
    }

    @Test
    void anAuthorityThatWasTakenOutIsWrittenAgain() throws Exception {
        configure();
        awaitRefusal("b1");
        kube.delete(NAMES.type(), NAMES.key(), DeleteOptions.any());
        configure();
        awaitRefusal("b1");
    }

    @Test
    void anotherCertificateComesLongBeforeTheEndAndNobodyNotices() throws Exception {
        configure();
        awaitRefusal("b1");
        var before = certificate.current();
        now.set(Instant.now());
        while (certificate.current() == before) {
            assertTrue(create("b1").contains("no b in a name"));
        }
        assertTrue(create("b1").contains("no b in a name"));
        assertEquals(2, TrustBundle.of(bundle()).authorities().size());
    }

    @Test
    void aClockThatIsPutBackMakesAnotherOneToo() throws Exception {
        configure();
        awaitRefusal("b1");
        var before = certificate.current();
        now.set(now.get().minus(Duration.ofDays(3)));
        while (certificate.current() == before) {
            Thread.sleep(20);
        }
        assertNotEquals(before, certificate.current());
    }
}
