package lvms.k8s.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Probes get 200 with {@code ok}, or 500 with a line for each check and no reasons. */
@Timeout(60)
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
    @Behaviour(102)
    void aCheckThatThrowsHasFailed() throws Exception {
        var broken =
                new Check(
                        "broken",
                        () -> {
                            throw new AssertionError("a bug");
                        });
        try (var other = HealthServer.start(ANY, List.of(Check.PING), List.of(broken))) {
            var answer = get(other, "/readyz");
            assertEquals("[-]broken failed: reason withheld\nreadyz check failed\n", answer.body());
            assertEquals(500, answer.statusCode());
        }
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

    @Test
    void headIsAnsweredWithoutContent() throws Exception {
        try (var socket = connected()) {
            socket.getOutputStream().write("HEAD /healthz HTTP/1.1\r\n\r\n".getBytes());
            var answer = new String(socket.getInputStream().readAllBytes());
            assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
            assertTrue(answer.contains("Content-Length: 2\r\n"), answer);
            assertTrue(answer.endsWith("\r\n\r\n"), answer);
        }
    }

    private Socket connected() throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    }

    /**
     * Each holds a connection and most of a head, as much as the server would keep, for longer than
     * this test lasts.
     */
    @Test
    @Safety(33)
    void aProbeIsAnsweredWhileManyHoldConnections() throws Exception {
        var held = new ArrayList<Socket>();
        try (var patient =
                HttpListener.start(
                        ANY,
                        Limits.PROBES.withRequest(Duration.ofHours(1)),
                        _ -> HttpAnswer.notFound())) {
            for (int i = 0; i < 300; i++) {
                var socket = connected(patient);
                held.add(socket);
                socket.getOutputStream()
                        .write(("GET /healthz HTTP/1.1\r\nX: " + "x".repeat(4000)).getBytes());
            }
            for (var socket : held.subList(0, 200)) {
                assertTrue(ends(socket), "the oldest are ended");
            }
            Await.until("few are open", () -> patient.connections() <= 32);
            try (var probe = connected(patient)) {
                probe.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes());
                assertTrue(firstLine(probe).startsWith("HTTP/1.1 404"));
            }
        } finally {
            for (var socket : held) {
                socket.close();
            }
        }
    }

    private static Socket connected(HttpListener to) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), to.address().getPort());
    }

    private static String firstLine(Socket socket) throws Exception {
        return new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
    }

    private static boolean ends(Socket socket) throws Exception {
        socket.setSoTimeout(20_000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // reset
        }
    }

    @Test
    @Safety(33)
    void aHeadWithoutEndIsRefused() throws Exception {
        try (var socket = connected()) {
            socket.getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes());
            socket.getOutputStream().write("X: y\r\n".repeat(2000).getBytes());
            var line = firstLine(socket);
            assertTrue(line.startsWith("HTTP/1.1 431"), line);
        }
    }

    @Test
    @Safety(33)
    void aRequestThatTakesTooLongIsEnded() throws Exception {
        try (var slow =
                        HttpListener.start(
                                ANY,
                                Limits.PROBES.withRequest(Duration.ofMillis(100)),
                                _ -> HttpAnswer.notFound());
                var silent = connected(slow);
                var drip = connected(slow)) {
            drip.getOutputStream().write("GET / HT".getBytes());
            assertTrue(ends(silent));
            assertTrue(ends(drip));
            Await.until("they are forgotten", () -> slow.connections() == 0);
        }
    }

    @Test
    void answersNothingButWhatItHas() throws Exception {
        assertEquals(404, get(server, "/").statusCode());
        assertEquals(404, get(server, "/healthzz").statusCode());
        assertEquals(404, get(server, "//healthz").statusCode());
        assertEquals(200, get(server, "/healthz?a&a").statusCode());
        for (var line : List.of("POST /healthz HTTP/1.1", "GET", "GET /%zz HTTP/1.1", "\u0001")) {
            try (var socket = connected()) {
                socket.getOutputStream().write((line + "\r\n\r\n").getBytes());
                var answer = firstLine(socket);
                assertTrue(answer.startsWith("HTTP/1.1 40"), answer);
            }
        }
    }
}
