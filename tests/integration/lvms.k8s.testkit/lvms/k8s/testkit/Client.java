package lvms.k8s.testkit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import lvms.tests.server.Looks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Talks to an API server with the JDK's client, knowing nothing of Kubernetes. */
final class Client {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    /** An answer whose body is a JSON object, or not JSON and left out. */
    record Reply(int code, JsonObject body, List<String> warnings) {
        String text(String... path) {
            JsonElement here = body;
            for (var step : path) {
                here =
                        here == null || here.isJsonNull()
                                ? null
                                : here.isJsonArray()
                                        ? here.getAsJsonArray().get(Integer.parseInt(step))
                                        : here.getAsJsonObject().get(step);
            }
            return here == null || here.isJsonNull()
                    ? ""
                    : here.isJsonPrimitive() ? here.getAsString() : here.toString();
        }
    }

    private final String url;
    private final String token;
    private final HttpClient http;

    Client(String url, String token, String caPem) {
        this.url = url;
        this.token = token;
        try {
            http =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(trusting(caPem))
                            .build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Client of(ApiServer server) {
        return new Client(server.url(), server.token(), server.caPem());
    }

    Client withToken(String other, String caPem) {
        return new Client(url, other, caPem);
    }

    private static SSLContext trusting(String caPem) throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, new char[0]);
        var in = new ByteArrayInputStream(caPem.getBytes(StandardCharsets.UTF_8));
        store.setCertificateEntry(
                "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(DEADLINE)
                .header("Authorization", "Bearer " + token)
                .header("User-Agent", "suite/1");
    }

    Reply send(String method, String path, String contentType, String body) {
        try {
            var answer =
                    http.send(
                            request(path)
                                    .header("Content-Type", contentType)
                                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return new Reply(
                    answer.statusCode(),
                    isJson(answer)
                            ? JsonParser.parseString(answer.body()).getAsJsonObject()
                            : new JsonObject(),
                    answer.headers().allValues("Warning"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isJson(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("application/json"))
                .isPresent();
    }

    Reply get(String path) {
        return send("GET", path, "application/json", "");
    }

    Reply post(String path, String body) {
        return send("POST", path, "application/json", body.replace('\'', '"'));
    }

    Reply put(String path, String body) {
        return send("PUT", path, "application/json", body.replace('\'', '"'));
    }

    Reply merge(String path, String body) {
        return send("PATCH", path, "application/merge-patch+json", body.replace('\'', '"'));
    }

    Reply json(String path, String body) {
        return send("PATCH", path, "application/json-patch+json", body.replace('\'', '"'));
    }

    Reply strategic(String path, String body) {
        return send(
                "PATCH", path, "application/strategic-merge-patch+json", body.replace('\'', '"'));
    }

    Reply apply(String path, String manager, boolean force, String body) {
        var query = (path.contains("?") ? "&" : "?") + "fieldManager=" + manager;
        return send(
                "PATCH",
                path + query + (force ? "&force=true" : ""),
                "application/apply-patch+yaml",
                body.replace('\'', '"'));
    }

    Reply delete(String path, String body) {
        return send("DELETE", path, "application/json", body.replace('\'', '"'));
    }

    /** Opens a stream; the caller closes it. */
    HttpResponse<InputStream> stream(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** A namespace of its own for one test. */
    String namespace() {
        var name = "t-" + UUID.randomUUID().toString().substring(0, 8);
        var reply = post("/api/v1/namespaces", "{'metadata':{'name':'" + name + "'}}");
        if (reply.code() != 201) {
            throw new AssertionError(reply);
        }
        return name;
    }

    /** Asks again until the condition holds; fails after the deadline. */
    static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not become true in " + DEADLINE);
            }
            Looks.pause();
        }
    }
}
