package lvms.k8s.serving;

import lvms.k8s.secret.Reloading;
import lvms.k8s.secret.Source;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
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
    /** kubelet replaces the files of a Secret within a minute or two of its change. */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final SSLContext context;
    private final Supplier<TlsBounds> bounds;

    private ServerTls(SSLContext context, Supplier<TlsBounds> bounds) {
        this.context = context;
        this.bounds = bounds;
    }

    /**
     * Secures connections with {@code tls.crt} and {@code tls.key} of a folder, as a mounted Secret
     * of the type {@code kubernetes.io/tls} has them.
     *
     * @param bounds what is accepted at the time of each handshake
     * @throws IOException if they cannot be read, or are not a certificate and its key
     */
    public static ServerTls ofFolder(Path folder, Supplier<TlsBounds> bounds) throws IOException {
        var certificate = new Source.File(folder.resolve("tls.crt"));
        var key = new Source.File(folder.resolve("tls.key"));
        var identity =
                new Reloading<>(
                        "certificate " + certificate,
                        () -> read(certificate, key),
                        PERIOD,
                        System::nanoTime);
        identity.get();
        return of(new CurrentKey(() -> Optional.of(identity.get())), bounds);
    }

    /** Secures connections with what there is at the time of each handshake. */
    public static ServerTls of(CurrentKey key, Supplier<TlsBounds> bounds) throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {key}, null, new SecureRandom());
            return new ServerTls(context, bounds);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static CertifiedKey read(Source certificate, Source key) throws IOException {
        try {
            var identity = CertifiedKey.of(certificate.read(), key.read());
            identity.check();
            return identity;
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + ", " + key + ": " + e.getMessage(), e);
        }
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
