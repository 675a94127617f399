package lvms.k8s.serving;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * How a listener secures its connections. The certificate is read again while it serves: each
 * handshake has the newest, at most some seconds old. One that cannot be read leaves the one before
 * in force.
 */
public final class ServerTls {
    private final SSLContext context;
    private final Supplier<TlsBounds> bounds;
    private final Optional<ServedCertificate> certificate;

    private ServerTls(
            SSLContext context,
            Supplier<TlsBounds> bounds,
            Optional<ServedCertificate> certificate) {
        this.context = context;
        this.bounds = bounds;
        this.certificate = certificate;
    }

    /**
     * Secures connections with {@code tls.crt} and {@code tls.key} of a folder, as a mounted Secret
     * of the type {@code kubernetes.io/tls} has them.
     *
     * @param bounds what is accepted at the time of each handshake
     * @throws IOException if they cannot be read, or are not a certificate and its key
     */
    public static ServerTls ofFolder(Path folder, Supplier<TlsBounds> bounds) throws IOException {
        var mounted = new ServedCertificate(folder, InstantSource.system(), System::nanoTime);
        var key = new CurrentKey(() -> Optional.of(mounted.current()));
        return new ServerTls(context(key), bounds, Optional.of(mounted));
    }

    /** Secures connections with what there is at the time of each handshake. */
    public static ServerTls of(CurrentKey key, Supplier<TlsBounds> bounds) throws IOException {
        return new ServerTls(context(key), bounds, Optional.empty());
    }

    private static SSLContext context(CurrentKey key) throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {key}, null, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Measures when the certificate of a folder ends, and how often it was read. A certificate that
     * the program made is not measured.
     */
    public void measure(MetricsRegistry metrics, String port) {
        certificate.ifPresent(mounted -> measure(mounted, metrics, port));
    }

    private static void measure(ServedCertificate mounted, MetricsRegistry metrics, String port) {
        metrics.gauge(
                        "serving_certificate_expiration_timestamp_seconds",
                        "When the certificate ends that a port serves from files.",
                        "port")
                .with(port)
                .from(() -> mounted.end().getEpochSecond());
        mounted.count(
                metrics.counter(
                                "certwatcher_read_certificate_total",
                                "How often certificates were read from files.")
                        .with(),
                metrics.counter(
                                "certwatcher_read_certificate_errors_total",
                                "How often certificates could not be read again.")
                        .with());
    }

    /** Makes the handshake of a connection that a client has opened. */
    Socket secure(Socket plain) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
        var parameters = socket.getSSLParameters();
        var accepted = bounds.get();
        parameters.setProtocols(accepted.protocols().toArray(String[]::new));
        if (!accepted.cipherSuites().isEmpty()) {
            parameters.setCipherSuites(accepted.cipherSuites().toArray(String[]::new));
        }
        parameters.setUseCipherSuitesOrder(true);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Returns whether a connection that was secured here would still be accepted. */
    boolean accepts(Socket secured) {
        var session = ((SSLSocket) secured).getSession();
        return bounds.get().allow(session.getProtocol(), session.getCipherSuite());
    }
}
