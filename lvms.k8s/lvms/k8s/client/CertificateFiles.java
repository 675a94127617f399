package lvms.k8s.client;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A client certificate and key; files are read again for new connections. */
final class CertificateFiles implements Credentials {
    private static final Duration PERIOD = Duration.ofSeconds(10); // asked once per handshake

    private final Reloading<ClientIdentity> identity;

    CertificateFiles(Source certificate, Source key, LongSupplier nanoClock) {
        this.identity =
                new Reloading<>(
                        "client certificate " + certificate,
                        () -> read(certificate, key),
                        PERIOD,
                        nanoClock);
    }

    private static ClientIdentity read(Source certificate, Source key) throws IOException {
        try {
            return ClientIdentity.of(certificate.read(), key.read());
        } catch (GeneralSecurityException e) {
            throw new IOException("client certificate " + certificate + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> authorization() {
        return Optional.empty();
    }

    @Override
    public Optional<ClientIdentity> identity() throws IOException {
        return Optional.of(identity.get());
    }
}
