package lvms.tests.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Requests to servers of a control plane in no more than HTTP. It trusts any certificate, since it
 * also waits for an API server whose own has expired.
 */
final class ServerRequests implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http;
    private final URI server;
    private final String token;

    ServerRequests(URI server, String token) throws IOException {
        this.server = server;
        this.token = token;
        try {
            var tls = SSLContext.getInstance("TLS");
            tls.init(null, new AnyCertificate[] {new AnyCertificate()}, null);
            http =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .proxy(HttpClient.Builder.NO_PROXY)
                            .connectTimeout(TIMEOUT)
                            .sslContext(tls)
                            .build();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS", e);
        }
    }

    HttpResponse<String> get(String path) throws IOException {
        return send(request(path).GET());
    }

    /** Sends a request with a body; a status of 300 or more is a failure. */
    String change(String method, String path, String contentType, String body) throws IOException {
        var publisher = HttpRequest.BodyPublishers.ofString(body);
        var answer =
                send(request(path).header("Content-Type", contentType).method(method, publisher));
        if (answer.statusCode() >= 300) {
            throw new IOException(
                    method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + token)
                .timeout(TIMEOUT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while asking " + server);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    /** The extended one, since Java checks the names of the others' certificates itself. */
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
