package lvms.k8s.client;

import static lvms.k8s.client.Bodies.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.config.Impersonation;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.TokenSource;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What a configuration says reaches the server, the proxy, the log and the metrics. */
class TransportTests extends KubeClientCase {
    private static final String VERSION = "{\"gitVersion\":\"v1\"}";

    @Test
    @Behaviour(13)
    void aWarningIsLoggedOnceForEachText() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) ->
                                        reply.send(
                                                200,
                                                VERSION,
                                                "Warning: 299 - \"it is \\\"old\\\"\"",
                                                "Warning: 299 - \"and number " + n / 3 + "\"",
                                                "Warning: garbage")));
        try (var log = new LogRecords()) {
            for (int i = 0; i < 4; i++) {
                client.serverVersion();
            }
            assertEquals(
                    List.of(
                            "the API server warns: it is \"old\"",
                            "the API server warns: and number 0",
                            "the API server warns: and number 1"),
                    log.beginning("the API server warns: "));
        }
    }

    @Test
    void asksForCompressedListsUnlessToldNotTo() throws Exception {
        var client = client((_, reply) -> reply.send(200, list(1)));
        client.list(Types.CONFIG_MAP, ListOptions.all());
        var plain = KubeConfig.builder(server().url()).disableCompression().build();
        closing(KubeClient.open(plain, "t")).list(Types.CONFIG_MAP, ListOptions.all());
        assertEquals("gzip", server().requests().get(0).header("accept-encoding"));
        assertEquals("", server().requests().get(1).header("accept-encoding"));
    }

    /** The proxy of a plain server gets the whole request; that of TLS needs a JVM's flag. */
    @Test
    void tellsAProxyItsPassword() throws Exception {
        serve((_, reply) -> reply.send(200, VERSION));
        var config =
                KubeConfig.builder(URI.create("http://kubernetes.test:8080"))
                        .proxy(URI.create("http://me:pass%20word@127.0.0.1:" + server().port()))
                        .build();
        closing(KubeClient.open(config, "t")).serverVersion();
        assertEquals("Basic bWU6cGFzcyB3b3Jk", only().header("proxy-authorization"));
        assertEquals("http://kubernetes.test:8080/version", only().target());
    }

    @Test
    void doesNotTellTheServerThePasswordOfNoProxy() throws Exception {
        var client = client((_, reply) -> reply.send(200, VERSION));
        client.serverVersion();
        assertEquals("", only().header("proxy-authorization"));
    }

    @Test
    void actsAsSomebodyElse() throws Exception {
        serve((_, reply) -> reply.send(200, VERSION));
        var as = new Impersonation("jane", "7", List.of("dev"), Map.of("Scope/x", List.of("a")));
        var config = KubeConfig.ofServer(server().url()).actingAs(as);
        closing(KubeClient.open(config, "t")).serverVersion();
        assertEquals("jane", only().header("impersonate-user"));
        assertEquals("7", only().header("impersonate-uid"));
        assertEquals("dev", only().header("impersonate-group"));
        assertEquals("a", only().header("impersonate-extra-scope%2fx"));
    }

    @Test
    void namesItselfAndTheSystem() throws Exception {
        serve((_, reply) -> reply.send(200, VERSION));
        var config = KubeConfig.ofServer(server().url());
        closing(KubeClient.open(config, ClientOptions.of("my-tool/1.0"))).serverVersion();
        assertTrue(
                only().header("user-agent").matches("my-tool/1\\.0 \\([a-z]+/[a-z0-9]+\\)"),
                only().header("user-agent"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "ä"})
    void refusesAUserAgentThatIsNoHeader(String userAgent) {
        assertThrows(IllegalArgumentException.class, () -> ClientOptions.of(userAgent));
    }

    @Test
    @Behaviour({4, 6})
    void takesTokensFromASourceAndAnotherOneWhenRefused() throws Exception {
        var number = new AtomicInteger();
        serve(
                (request, reply) -> {
                    if (request.header("authorization").equals("Bearer t2")) {
                        reply.send(200, VERSION);
                    } else {
                        reply.send(401, "");
                    }
                });
        TokenSource source =
                () -> new TokenSource.Token("t" + number.incrementAndGet(), Optional.empty());
        var config = KubeConfig.builder(server().url()).tokens(source).build();
        var client = closing(KubeClient.open(config, "t"));
        assertEquals("v1", client.serverVersion());
        assertEquals("v1", client.serverVersion());
        assertEquals(2, number.get());
        assertEquals(3, server().requests().size());
    }

    @Test
    void aTokenSourceThatFailsIsOneLine() throws Exception {
        var asked = new AtomicInteger();
        serve((_, reply) -> reply.send(200, VERSION));
        TokenSource source =
                () -> {
                    asked.incrementAndGet();
                    throw new IOException("the vault is sealed");
                };
        var config = KubeConfig.builder(server().url()).tokens(source).build();
        var client = closing(KubeClient.open(config, "t"));
        var failure = assertThrows(ApiException.Unreachable.class, client::serverVersion);
        assertEquals("get /version: the vault is sealed", failure.getMessage());
        assertEquals(1, asked.get());
        assertEquals(List.of(), server().requests());
        assertEquals(
                "token that expires 1970-01-01T00:00:00Z",
                new TokenSource.Token("hush", Optional.of(Instant.EPOCH)).toString());
    }

    /** The server's refusal makes the client read the file again, and that fails. */
    @Test
    @Behaviour(5)
    void failuresToReadFilesAgainAreMetrics(@TempDir Path folder) throws Exception {
        serve((_, reply) -> reply.send(401, "who are you"));
        var file = Files.writeString(folder.resolve("token"), "t");
        var metrics = new MetricsRegistry();
        var config = KubeConfig.builder(server().url()).tokenFile(file).build();
        var client = closing(KubeClient.open(config, "t", metrics));
        assertTrue(metrics.text().contains(failures("token", 0)), metrics.text());
        assertTrue(metrics.text().contains(failures("certificate", 0)), metrics.text());
        assertTrue(metrics.text().contains(failures("authority", 0)), metrics.text());
        Files.delete(file);
        assertThrows(ApiException.Unauthorized.class, client::serverVersion);
        assertTrue(metrics.text().contains(failures("token", 1)), metrics.text());
        assertEquals("Bearer t", server().requests().getLast().header("authorization"));
    }

    private String failures(String source, int number) {
        return "rest_client_reload_failures_total{source=\"%s\",host=\"127.0.0.1:%d\"} %d\n"
                .formatted(source, server().port(), number);
    }
}
