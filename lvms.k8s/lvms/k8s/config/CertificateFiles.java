package lvms.k8s.config;

import lvms.k8s.secret.Reloading;
import lvms.k8s.secret.Source;
import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A client certificate and key. The files are read again, and new connections replace the old ones.
 */
final class CertificateFiles implements Credentials {
    private static final Duration PERIOD = Duration.ofMinutes(1); // client-go: 5 min
    private static final Duration NEVER = Duration.ofDays(10_000);

    private final Reloading<CertifiedKey> identity;
    private Optional<CertifiedKey> last = Optional.empty();
    private int generation;

    CertificateFiles(Source certificate, Source key, LongSupplier nanoClock) {
        boolean fixed = certificate instanceof Source.Inline && key instanceof Source.Inline;
        this.identity =
                new Reloading<>(
                        "client certificate " + certificate,
                        () -> read(certificate, key),
                        fixed ? NEVER : PERIOD,
                        nanoClock);
    }

    private static CertifiedKey read(Source certificate, Source key) throws IOException {
        try {
            var pair =
                    CertifiedKey.of(
                            bytes("client certificate", certificate), bytes("client key", key));
            pair.check(); // while both files are replaced they do not fit for a moment
            return pair;
        } catch (GeneralSecurityException e) {
            throw new IOException("client certificate " + certificate + ": " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(String what, Source source) throws IOException {
        try {
            return source.read();
        } catch (IOException e) {
            throw new IOException(what + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> authorization(Duration limit) {
        return Optional.empty();
    }

    @Override
    public Optional<CertifiedKey> identity() throws IOException {
        return Optional.of(identity.get());
    }

    @Override
    public Optional<String> identityProblem(Instant now) {
        try {
            return identity.get().problem(now);
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public synchronized int generation() {
        try {
            var present = identity();
            if (!present.equals(last)) {
                generation++;
                last = present;
            }
        } catch (IOException _) {
            return generation; // the handshake will say what is wrong
        }
        return generation;
    }

    @Override
    public void check() throws IOException {
        identity.get();
    }

    @Override
    public long certificateFailures() {
        return identity.failures();
    }
}
