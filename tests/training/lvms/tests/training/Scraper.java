package lvms.tests.training;

import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;

/**
 * Reads the metrics of a process over HTTPS, so that what this takes is in the caches: loaded by
 * itself, it costs each process that is scraped some megabytes.
 *
 * @param certificates folder with the certificate for the process
 * @param port where it serves metrics
 */
record Scraper(HttpClient reader, Path certificates, int port) implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(3); // by QEMU

    /** Makes a certificate. */
    static Scraper of(Path folder) throws IOException, GeneralSecurityException {
        var certificates = folder.resolve("certificates");
        var authority = Authority.make("training", Duration.ofDays(1));
        authority.server("training", List.of("localhost"), List.of()).save(certificates, "tls");
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Scraper(
                    HttpClient.newBuilder()
                            .sslContext(trust)
                            .version(HttpClient.Version.HTTP_1_1)
                            .build(),
                    certificates,
                    free.getLocalPort());
        }
    }

    /** Returns the flags of the process. */
    List<String> flags(String address) {
        return List.of("--" + address + "=0.0.0.0:" + port, "--metrics-cert-dir=" + certificates);
    }

    /** Reads the page twice, as soon as it is served. */
    void scrape(String token) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/metrics"))
                        .header("Authorization", "Bearer " + token)
                        .build();
        long end = System.nanoTime() + DEADLINE.toNanos();
        for (int pages = 0; pages < 2; ) {
            if (isAnswered(request)) {
                pages++;
            } else if (System.nanoTime() > end) {
                throw new IOException("no metrics from port " + port);
            } else {
                Thread.sleep(100);
            }
        }
    }

    private boolean isAnswered(HttpRequest request) throws InterruptedException {
        try {
            return reader.send(request, BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException _) {
            return false; // nobody listens yet
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
