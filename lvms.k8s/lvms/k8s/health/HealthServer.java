package lvms.k8s.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import lvms.k8s.metrics.MetricsRegistry;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Serves {@code /healthz} and {@code /readyz} as Kubernetes components do: {@code ok} with 200, or
 * 500 and a line for each check. {@code ?verbose} lists the checks, {@code ?exclude=NAME} leaves
 * one out, and a path below asks for a single check. It gives no reasons, since anyone may ask.
 */
public final class HealthServer implements AutoCloseable {
    private static final int BACKLOG = 16; // the kubelet and a scraper or two

    private final HttpServer server;

    private HealthServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts serving.
     *
     * @param live checks of {@code /healthz}; none may depend on the API server
     * @param ready checks of {@code /readyz}
     * @throws IOException if the address cannot be bound
     */
    public static HealthServer start(InetSocketAddress address, List<Check> live, List<Check> ready)
            throws IOException {
        return start(
                address,
                Map.of(
                        "/healthz", exchange -> answer(exchange, "healthz", live),
                        "/readyz", exchange -> answer(exchange, "readyz", ready)));
    }

    /**
     * Starts serving {@code /metrics} as Prometheus text.
     *
     * @throws IOException if the address cannot be bound
     */
    public static HealthServer metrics(InetSocketAddress address, MetricsRegistry metrics)
            throws IOException {
        return start(
                address,
                Map.of(
                        "/metrics",
                        exchange ->
                                send(exchange, 200, MetricsRegistry.CONTENT_TYPE, metrics.text())));
    }

    private static HealthServer start(InetSocketAddress address, Map<String, HttpHandler> handlers)
            throws IOException {
        var server = HttpServer.create(address, BACKLOG);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        handlers.forEach(server::createContext);
        server.start();
        return new HealthServer(server);
    }

    private static void answer(HttpExchange exchange, String path, List<Check> checks)
            throws IOException {
        var below =
                exchange.getRequestURI()
                        .getPath()
                        .substring(path.length() + 1)
                        .replaceAll("^/", "");
        var query = exchange.getRequestURI().getQuery();
        var parameters =
                query == null ? Set.<String>of() : Set.copyOf(Arrays.asList(query.split("&")));
        var asked =
                checks.stream()
                        .filter(check -> below.isEmpty() || check.name().equals(below))
                        .filter(check -> !parameters.contains("exclude=" + check.name()))
                        .toList();
        if (asked.isEmpty() && !below.isEmpty()) {
            send(exchange, 404, "text/plain", "404 page not found\n");
            return;
        }
        boolean verbose =
                parameters.stream().anyMatch(p -> p.equals("verbose") || p.startsWith("verbose="));
        var verdict = Verdict.of(path, asked);
        send(
                exchange,
                verdict.passed() ? 200 : 500,
                "text/plain; charset=utf-8",
                verdict.text(verbose));
    }

    private record Verdict(String path, List<String> lines, boolean passed) {
        static Verdict of(String path, List<Check> checks) {
            var failed =
                    checks.stream()
                            .filter(check -> !check.passes().getAsBoolean())
                            .map(Check::name)
                            .collect(Collectors.toSet());
            var lines =
                    checks.stream()
                            .map(
                                    check ->
                                            failed.contains(check.name())
                                                    ? "[-]"
                                                            + check.name()
                                                            + " failed: reason withheld"
                                                    : "[+]" + check.name() + " ok")
                            .toList();
            return new Verdict(path, lines, failed.isEmpty());
        }

        String text(boolean verbose) {
            if (passed && !verbose) {
                return "ok";
            }
            return String.join("\n", lines)
                    + "\n"
                    + path
                    + (passed ? " check passed\n" : " check failed\n");
        }
    }

    private static void send(HttpExchange exchange, int code, String type, String text)
            throws IOException {
        try (exchange) {
            var body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Returns where it listens; if port 0 was asked for, this has the real one. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
