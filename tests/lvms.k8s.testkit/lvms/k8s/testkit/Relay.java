package lvms.k8s.testkit;

import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.call.Tokens;
import lvms.k8s.testkit.call.User;
import lvms.k8s.testkit.fault.RequestFaults;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.tls.Trust;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Relays requests to another server and returns its answers, with the faults that tests ask for.
 *
 * <p>It impersonates the users of our tokens there, so that tokens can be made and revoked at any
 * time.
 */
final class Relay implements Backend {
    /** Headers of one connection, which are not relayed: the client sets its own. */
    private static final Set<String> OF_CONNECTION =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "te",
                    "transfer-encoding",
                    "upgrade");

    private final Upstream upstream;
    private final Tokens tokens;
    private final RequestFaults faults;
    private final WatchControl control;
    private final HttpClient http;
    private final Set<RelayedWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile long oldest;

    Relay(Upstream upstream, Tokens tokens, RequestFaults faults, WatchControl control)
            throws IOException {
        this.upstream = upstream;
        this.tokens = tokens;
        this.faults = faults;
        this.control = control;
        try {
            http =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(
                                    Trust.only(upstream.caPem().getBytes(StandardCharsets.UTF_8)))
                            .build();
        } catch (GeneralSecurityException e) {
            throw new IOException("authority of the other server: " + e.getMessage(), e);
        }
    }

    @Override
    public void handle(HttpRequest request, Exchange exchange) throws IOException {
        try {
            if (faults.interfere(request, exchange)) {
                return;
            }
            if (request.flag("watch")) {
                watch(request, exchange);
            } else {
                answer(request, exchange);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            exchange.cut();
        }
    }

    private void answer(HttpRequest request, Exchange exchange)
            throws IOException, InterruptedException {
        var response = http.send(forward(request), BodyHandlers.ofByteArray());
        countRefusal(response);
        copyHeaders(response, exchange);
        faults.answer(request, exchange, response.statusCode(), type(response), response.body());
    }

    private void watch(HttpRequest request, Exchange exchange)
            throws IOException, InterruptedException {
        var refusal = refusal(request);
        if (refusal.isPresent()) {
            refuse(refusal.get(), exchange);
            return;
        }
        var response = http.send(forward(request), BodyHandlers.ofInputStream());
        copyHeaders(response, exchange);
        if (response.statusCode() != 200) {
            countRefusal(response);
            whole(response, exchange);
            return;
        }
        var watch = new RelayedWatch(exchange, control, response.body());
        watches.add(watch);
        try {
            watch.run(type(response));
        } finally {
            watches.remove(watch);
        }
    }

    private void countRefusal(HttpResponse<?> response) {
        if (response.statusCode() >= 400) {
            faults.hits().count("refusal " + response.statusCode());
        }
    }

    /** The refusal of what the other server would serve, but the test wants refused. */
    private Optional<Refusal> refusal(HttpRequest request) {
        if (request.query().containsKey("sendInitialEvents")) {
            if (control.streamingLists()) {
                return Optional.empty();
            }
            control.hits().count("streamingLists");
            return Optional.of(Refusal.noStreamingLists());
        }
        var revision = request.parameter("resourceVersion");
        if (revision.isEmpty() || Long.parseLong(revision) == 0) {
            return Optional.empty();
        }
        return Long.parseLong(revision) < oldest
                ? Optional.of(
                        Refusal.expired(
                                "too old resource version: " + revision + " (" + oldest + ")"))
                : Optional.empty();
    }

    private void refuse(Refusal refusal, Exchange exchange) throws IOException {
        if (refusal.code() == 410) {
            control.hits().count("compact");
        }
        if (refusal.code() != 410 || !control.expiryAsEvent()) {
            var body = refusal.status().toString().getBytes(StandardCharsets.UTF_8);
            exchange.send(refusal.code(), "application/json", body);
            return;
        }
        exchange.startStream(200, "application/json");
        var event = "{\"type\":\"ERROR\",\"object\":" + refusal.status() + "}\n";
        exchange.chunk(event.getBytes(StandardCharsets.UTF_8));
        exchange.endStream();
    }

    private static void whole(HttpResponse<InputStream> response, Exchange exchange)
            throws IOException {
        try (var body = response.body()) {
            exchange.send(response.statusCode(), type(response), body.readAllBytes());
        }
    }

    private java.net.http.HttpRequest forward(HttpRequest request) {
        var builder =
                java.net.http.HttpRequest.newBuilder(URI.create(upstream.url() + target(request)))
                        .method(
                                request.method(),
                                java.net.http.HttpRequest.BodyPublishers.ofByteArray(
                                        request.body()));
        var user = tokens.user(request);
        request.headers()
                .forEach(
                        (name, value) -> {
                            if (!OF_CONNECTION.contains(name)
                                    && (user.isEmpty() || !name.equals("authorization"))) {
                                builder.header(name, value);
                            }
                        });
        user.ifPresent(known -> impersonate(known, builder));
        return builder.build();
    }

    private void impersonate(User user, java.net.http.HttpRequest.Builder builder) {
        builder.header("Authorization", "Bearer " + upstream.token());
        builder.header("Impersonate-User", user.name());
        user.groups().forEach(group -> builder.header("Impersonate-Group", group));
    }

    private static String target(HttpRequest request) {
        if (request.query().isEmpty()) {
            return request.rawPath();
        }
        return request.query().entrySet().stream()
                .flatMap(e -> e.getValue().stream().map(v -> encode(e.getKey()) + "=" + encode(v)))
                .collect(Collectors.joining("&", request.rawPath() + "?", ""));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String type(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("application/json");
    }

    private static void copyHeaders(HttpResponse<?> response, Exchange exchange) {
        response.headers()
                .map()
                .forEach(
                        (name, values) -> {
                            if (!OF_CONNECTION.contains(name) && !name.equals("content-type")) {
                                values.forEach(value -> exchange.header(name, value));
                            }
                        });
    }

    @Override
    public void wakeWatches() {
        watches.forEach(RelayedWatch::look);
    }

    @Override
    public void compact() {
        oldest = upstream.compact();
    }

    @Override
    public void advance(long distance) {
        throw new UnsupportedOperationException("the other server counts its revisions itself");
    }

    @Override
    public Backend emptied() {
        upstream.empty();
        return this;
    }

    @Override
    public Backend restoredAt(long revision) {
        throw new UnsupportedOperationException("the other server counts its revisions itself");
    }

    @Override
    public Backup backup() {
        throw new UnsupportedOperationException("the other server's objects are its own");
    }

    @Override
    public Backend restored(Backup backup) {
        throw new UnsupportedOperationException("the other server's objects are its own");
    }

    @Override
    public void close() {
        wakeWatches();
        http.shutdownNow();
    }
}
