package lvms.k8s.config;

import lvms.k8s.secret.Reloading;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        var token = Files.readString(path, StandardCharsets.US_ASCII).strip();
        if (token.isEmpty()) {
            throw new IOException("token file is empty: " + path);
        }
        return "Bearer " + token;
    }

    @Override
    public Optional<String> authorization() throws IOException {
        return Optional.of(header.get());
    }

    @Override
    public boolean refresh(Optional<String> refused) throws IOException {
        header.refresh();
        return true;
    }

    long failures() {
        return header.failures();
    }
}
