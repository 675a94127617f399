package lvms.k8s.testkit.admission;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.http.ResponseReader;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.tls.Trust;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Sends reviews to webhooks over HTTPS. There is no cluster network, so it reaches services at the
 * addresses given before. It still checks their certificates against the name that the real server
 * would use.
 */
public final class WebhookCall {
    private static final int DEFAULT_SECONDS = 10;

    private final Map<String, InetSocketAddress> services = new ConcurrentHashMap<>();

    private record Target(InetSocketAddress address, String name, String path) {}

    /** Says where a service listens. */
    public void route(String namespace, String service, InetSocketAddress address) {
        services.put(namespace + "/" + service, address);
    }

    /** Posts a review and returns the body of the answer. */
    String send(JsonObject webhook, JsonObject review) throws IOException {
        var config = Json.object(webhook, "clientConfig").orElseGet(JsonObject::new);
        long seconds = Json.number(webhook, DEFAULT_SECONDS, "timeoutSeconds");
        var target = target(config);
        int millis = (int) (seconds * 1000);
        try (var plain = new Socket()) {
            plain.connect(target.address(), millis);
            plain.setSoTimeout(millis);
            try (var socket = secure(plain, target.name(), Json.text(config, "caBundle"))) {
                var body = review.toString().getBytes(StandardCharsets.UTF_8);
                var path = target.path() + "?timeout=" + seconds + "s";
                var head =
                        ("POST %s HTTP/1.1\r\n"
                                        + "Host: %s\r\n"
                                        + "Content-Type: application/json\r\n"
                                        + "Accept: application/json\r\n"
                                        + "Content-Length: %d\r\n"
                                        + "Connection: close\r\n\r\n")
                                .formatted(path, target.name(), body.length);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(body);
                socket.getOutputStream().flush();
                return answer(socket.getInputStream());
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Target target(JsonObject config) throws IOException {
        var url = Json.text(config, "url");
        if (!url.isEmpty()) {
            var uri = URI.create(url);
            int port = uri.getPort() < 0 ? 443 : uri.getPort();
            var path = uri.getPath().isEmpty() ? "/" : uri.getPath();
            return new Target(new InetSocketAddress(uri.getHost(), port), uri.getHost(), path);
        }
        var namespace = Json.text(config, "service", "namespace");
        var service = Json.text(config, "service", "name");
        var address = services.get(namespace + "/" + service);
        if (address == null) {
            throw new IOException("service \"" + service + "\" not found");
        }
        var path = Json.text(config, "service", "path");
        return new Target(address, service + "." + namespace + ".svc", path.isEmpty() ? "/" : path);
    }

    private static SSLSocket secure(Socket plain, String name, String caBundle)
            throws IOException, GeneralSecurityException {
        var socket =
                (SSLSocket)
                        context(caBundle)
                                .getSocketFactory()
                                .createSocket(plain, name, plain.getPort(), true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static SSLContext context(String caBundle)
            throws IOException, GeneralSecurityException {
        if (caBundle.isEmpty()) {
            return SSLContext.getDefault();
        }
        return Trust.only(Base64.getDecoder().decode(caBundle));
    }

    private static String answer(InputStream in) throws IOException {
        var response = ResponseReader.read(in);
        if (response.code() / 100 != 2) {
            throw new IOException("the webhook answered with status " + response.code());
        }
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
