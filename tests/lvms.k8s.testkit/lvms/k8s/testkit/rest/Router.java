package lvms.k8s.testkit.rest;

import static java.lang.System.Logger.Level.ERROR;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.call.Tokens;
import lvms.k8s.testkit.call.User;
import lvms.k8s.testkit.discovery.Discovery;
import lvms.k8s.testkit.discovery.OpenApi;
import lvms.k8s.testkit.discovery.Versions;
import lvms.k8s.testkit.fault.RequestFaults;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.read.Presentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Finds out what a request is about, has it performed, and sends the answer. */
final class Router {
    private static final System.Logger LOG = System.getLogger(Router.class.getName());
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final List<String> HEALTH = List.of("healthz", "livez", "readyz");

    private final Cluster cluster;
    private final Tokens tokens;
    private final RequestFaults faults;
    private final ResourceHandler resources;
    private final Discovery discovery;
    private final OpenApi openApi;

    Router(Cluster cluster, Tokens tokens, RequestFaults faults, ResourceHandler resources) {
        this.cluster = cluster;
        this.tokens = tokens;
        this.faults = faults;
        this.resources = resources;
        discovery = new Discovery(cluster.registry());
        openApi = new OpenApi(cluster.registry());
    }

    void handle(HttpRequest request, Exchange exchange) throws IOException {
        exchange.header("Audit-Id", UUID.randomUUID().toString());
        exchange.header("Cache-Control", "no-cache, private");
        try {
            if (!faults.interfere(request, exchange)) {
                serve(request, new Answer(exchange, faults, request));
            }
        } catch (Refusal e) {
            faults.hits().count((isPage(request) ? "page " : "refusal ") + e.code());
            if (e.ofPath() && !isBuiltin(request)) {
                exchange.send(404, TEXT, "404 page not found\n".getBytes(StandardCharsets.UTF_8));
            } else {
                refuse(exchange, e);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            exchange.cut();
        } catch (RuntimeException e) {
            LOG.log(ERROR, () -> "request failed path=" + request.rawPath(), e);
            refuse(exchange, Refusal.internal(String.valueOf(e)));
        }
    }

    private static boolean isPage(HttpRequest request) {
        return !request.parameter("continue").isEmpty();
    }

    /** Whether the path begins like one of a built-in group. */
    private boolean isBuiltin(HttpRequest request) {
        var path = request.path();
        return switch (path.isEmpty() ? "" : path.getFirst()) {
            case "api" -> true;
            case "apis" -> path.size() > 1 && cluster.registry().isBuiltin(path.get(1));
            default -> false;
        };
    }

    private static void refuse(Exchange exchange, Refusal refusal) throws IOException {
        Json.at(refusal.status(), "details", "retryAfterSeconds")
                .ifPresent(seconds -> exchange.header("Retry-After", seconds.getAsString()));
        exchange.send(
                refusal.code(), JSON, refusal.status().toString().getBytes(StandardCharsets.UTF_8));
    }

    private void serve(HttpRequest request, Answer answer)
            throws IOException, InterruptedException {
        var path = request.path();
        var first = path.isEmpty() ? "" : path.getFirst();
        if (HEALTH.contains(first)) {
            answer.text("ok");
            return;
        }
        var user = authenticate(request);
        switch (first) {
            case "version" -> answer.json(200, Versions.json());
            case "api", "apis" -> api(request, user, answer);
            case "openapi" -> openApi(request, answer);
            case "" ->
                    answer.json(200, Json.of("paths", Json.arrayOf("/api", "/apis", "/version")));
            default -> throw Refusal.noSuchResource();
        }
    }

    private User authenticate(HttpRequest request) {
        return tokens.user(request)
                .orElseThrow(() -> new Refusal(401, "Unauthorized", "Unauthorized"));
    }

    private void openApi(HttpRequest request, Answer answer) throws IOException {
        var path = request.path();
        if (path.size() < 2 || !path.get(1).equals("v3")) {
            throw Refusal.noSuchResource();
        }
        answer.json(
                200,
                path.size() == 2
                        ? openApi.index()
                        : openApi.document(String.join("/", path.subList(2, path.size()))));
    }

    private void api(HttpRequest request, User user, Answer answer)
            throws IOException, InterruptedException {
        boolean core = request.path().getFirst().equals("api");
        int prefix = core ? 2 : 3;
        if (request.path().size() <= prefix) {
            discover(request, core, answer);
        } else {
            var version = core ? "" : request.path().get(1);
            var rest = request.path().subList(prefix, request.path().size());
            resources.handle(
                    call(request, version, request.path().get(prefix - 1), rest, user), answer);
        }
    }

    private void discover(HttpRequest request, boolean core, Answer answer) throws IOException {
        if (!request.method().equals("GET")) {
            throw Refusal.methodNotAllowed();
        }
        var path = request.path();
        if (path.size() == 1) {
            var type = Discovery.mediaType(request.header("Accept").orElse(""));
            answer.json(200, type, discovery.groups(core, type));
        } else if (core) {
            answer.json(200, discovery.resources("", path.get(1)));
        } else {
            if (path.size() == 2) {
                throw Refusal.noSuchResource();
            }
            answer.json(200, discovery.resources(path.get(1), path.get(2)));
        }
    }

    /** What the rest of a path names: a collection or an object, perhaps a subresource. */
    private Call call(
            HttpRequest request, String group, String version, List<String> rest, User user) {
        boolean inNamespace = rest.getFirst().equals("namespaces") && rest.size() > 2;
        if (inNamespace) {
            var plural = rest.get(2);
            var resource = cluster.registry().find(group, version, plural);
            if (resource.isPresent() && resource.get().namespaced()) {
                return Call.of(
                        request, resource.get(), rest.get(1), at(rest, 3), at(rest, 4), user);
            }
        }
        var resource =
                cluster.registry()
                        .find(group, version, rest.getFirst())
                        .orElseThrow(Refusal::noSuchResource);
        if (resource.namespaced() && rest.size() > 1) {
            throw Refusal.noSuchResource();
        }
        return Call.of(request, resource, "", at(rest, 1), at(rest, 2), user);
    }

    private static String at(List<String> list, int index) {
        return index < list.size() ? list.get(index) : "";
    }

    /** The way back to the client. */
    record Answer(Exchange exchange, RequestFaults faults, HttpRequest request) {
        void json(int code, JsonElement body) throws IOException {
            json(code, JSON, body);
        }

        void json(int code, String type, JsonElement body) throws IOException {
            var bytes = body.toString().getBytes(StandardCharsets.UTF_8);
            faults.answer(request, exchange, code, type, bytes);
        }

        void text(String text) throws IOException {
            exchange.send(200, TEXT, text.getBytes(StandardCharsets.UTF_8));
        }

        void warn(String text) {
            exchange.header(
                    "Warning",
                    "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
    }

    /** An object, or a Status, in the form the client wants. */
    static JsonObject present(Call call, JsonObject object) {
        return Presentation.of(call.http()).one(call, object);
    }
}
