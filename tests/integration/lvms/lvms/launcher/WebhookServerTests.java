package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The port of the webhooks opens when somebody needs it, with the certificate that there is. */
@Timeout(60)
class WebhookServerTests {
    private static final WebhookConfiguration NAMES = WebhookConfiguration.validating("names");
    private static final Duration PERIOD = Duration.ofMillis(20);

    /** Long enough for many looks. */
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private static final String CONFIGURATION =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata:
              name: names
              annotations: {"%s": "x"}
            webhooks:
              - name: names.example.com
                admissionReviewVersions: [v1]
                sideEffects: None
                clientConfig:
                  service: {name: hooks, namespace: default, path: /names}
            """;

    @TempDir private Path folder;
    private ApiServer api;
    private KubeClient kube;
    private InetSocketAddress address;
    private WebhookServer server;

    @BeforeEach
    void open() throws Exception {
        api = ApiServer.start();
        kube = KubeClient.open(api.config(), "tests/1").withFieldManager("tests");
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) free.getLocalSocketAddress();
        }
        server =
                new WebhookServer(
                        kube,
                        ObjectKey.of("default", "hooks"),
                        List.of(NAMES),
                        new WebhookServer.Place(
                                address, folder, () -> () -> TlsBounds.DEFAULT, PERIOD),
                        _ -> HttpAnswer.text(200, "asked"));
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        kube.close();
        api.close();
    }

    private boolean isOpen() {
        try (var socket = new Socket()) {
            socket.connect(address);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private void awaitOpen() throws Exception {
        while (!isOpen()) {
            Thread.sleep(PERIOD); // until the timeout of the test
        }
    }

    private void configure(String annotation) throws Exception {
        var yaml = CONFIGURATION.formatted(annotation);
        kube.apply(NAMES.type(), KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private String bundle() throws Exception {
        return kube.get(NAMES.type(), NAMES.key())
                .objects("webhooks")
                .getFirst()
                .text("clientConfig", "caBundle")
                .orElse("");
    }

    @Test
    void whereNobodyAsksThereIsNoPort() throws Exception {
        Thread.sleep(A_WHILE);
        assertEquals(false, isOpen());
    }

    @Test
    void aConfigurationOpensItAndGetsAnAuthority() throws Exception {
        configure("example.com/a");
        awaitOpen();
        while (bundle().isEmpty()) {
            Thread.sleep(PERIOD);
        }
    }

    @Test
    void anAuthorityThatAnotherProgramWritesIsLeftToIt() throws Exception {
        configure("cert-manager.io/inject-ca-from");
        Thread.sleep(A_WHILE);
        assertEquals(false, isOpen());
        var authority = Authority.make("theirs", Duration.ofDays(1));
        var loopback = List.of(InetAddress.getLoopbackAddress());
        authority.server("hooks", List.of("localhost"), loopback).save(folder, "tls");
        awaitOpen();
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        try (var client = HttpClient.newBuilder().sslContext(trust).build()) {
            var uri = URI.create("https://localhost:" + address.getPort() + "/names");
            var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals("asked", answer.body());
        }
        assertEquals("", bundle());
    }

    @Test
    void aBrokenCertificateIsWaitedFor() throws Exception {
        Files.writeString(folder.resolve("tls.crt"), "-----BEGIN");
        Files.writeString(folder.resolve("tls.key"), "");
        Thread.sleep(A_WHILE);
        assertEquals(false, isOpen());
        Authority.make("theirs", Duration.ofDays(1))
                .server("hooks", List.of("localhost"), List.of())
                .save(folder, "tls");
        awaitOpen();
        assertTrue(isOpen());
    }
}
