package lvms.k8s.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.metrics.MetricsRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Probes get 200 with {@code ok}, or 500 with a line for each check and no reasons. */
class HealthServerTests {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final AtomicBoolean synced = new AtomicBoolean(true);
    private final HttpClient client = HttpClient.newHttpClient();
    private HealthServer server;

    @BeforeEach
    void start() throws Exception {
        server =
                HealthServer.start(
                        ANY,
                        List.of(Check.PING),
                        List.of(Check.PING, new Check("caches", synced::get)));
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private HttpResponse<String> get(HealthServer from, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + from.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private void assertAnswer(int code, String body, String path) throws Exception {
        var answer = get(server, path);
        assertEquals(body, answer.body());
        assertEquals(code, answer.statusCode());
    }

    @Test
    void saysOkWhenEveryCheckPasses() throws Exception {
        assertAnswer(200, "ok", "/healthz");
        assertAnswer(200, "ok", "/readyz");
        assertAnswer(200, "[+]ping ok\n[+]caches ok\nreadyz check passed\n", "/readyz?verbose");
    }

    @Test
    void listsTheChecksWithoutReasonsWhenOneFails() throws Exception {
        synced.set(false);
        assertAnswer(
                500,
                "[+]ping ok\n[-]caches failed: reason withheld\nreadyz check failed\n",
                "/readyz");
        assertAnswer(200, "ok", "/healthz");
        assertAnswer(200, "ok", "/readyz?exclude=caches");
        assertAnswer(200, "ok", "/readyz/ping");
        assertEquals(500, get(server, "/readyz/caches").statusCode());
        assertEquals(404, get(server, "/readyz/nothing").statusCode());
    }

    @Test
    void servesMetricsAsPrometheusText() throws Exception {
        var registry = new MetricsRegistry();
        registry.counter("things_total", "Things.").with().increment();
        try (var metrics = HealthServer.metrics(ANY, registry)) {
            var answer = get(metrics, "/metrics");
            assertEquals(
                    MetricsRegistry.CONTENT_TYPE,
                    answer.headers().firstValue("Content-Type").orElse(""));
            assertEquals(registry.text(), answer.body());
        }
    }
}
