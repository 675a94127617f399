package lvms.k8s.config;

import lvms.k8s.secret.Reloading;
import lvms.k8s.secret.Source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A bearer token in a file that the kubelet replaces before the token expires. */
final class TokenFile implements Credentials {
    private static final Duration PERIOD = Duration.ofSeconds(50); // client-go: at most 60 s

    private final Reloading<String> header;

    TokenFile(Path path, LongSupplier nanoClock) {
        this.header =
                new Reloading<>("token file " + path, () -> readHeader(path), PERIOD, nanoClock);
    }

    private static String readHeader(Path path) throws IOException {
        byte[] bytes;
        try {
            bytes = new Source.File(path).read();
        } catch (IOException e) {
            throw new IOException("token file: " + e.getMessage(), e);
        }
        try {
            return Credentials.bearer(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new IOException("token file " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> authorization(Duration limit) throws IOException {
        try {
            return Optional.of(header.get());
        } catch (IOException e) {
            throw new CredentialsException("no token: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean refresh(Optional<String> refused, Duration limit) throws IOException {
        header.refresh();
        return true;
    }

    @Override
    public void check() throws IOException {
        header.get();
    }

    @Override
    public long tokenFailures() {
        return header.failures();
    }
}
