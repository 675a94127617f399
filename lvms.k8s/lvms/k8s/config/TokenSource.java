package lvms.k8s.config;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Gets bearer tokens, such as from a vault or a cloud's metadata service.
 *
 * <p>It is asked when a token is first needed, after it expires, and after the server refuses it;
 * never by two threads at once, and after a failure not again for five seconds. It may block: a
 * call that cannot wait for it fails at its own deadline, and after 60 s it is interrupted. If it
 * ignores that, it is not asked again before it has ended.
 */
@FunctionalInterface
public interface TokenSource {
    /** Returns a token that can be used now. */
    Token token() throws IOException, InterruptedException;

    /**
     * A token.
     *
     * @param text the token, without {@code Bearer}
     * @param expires when another one is needed; empty if only the server's refusal tells that
     */
    record Token(String text, Optional<Instant> expires) {
        public Token {
            Objects.requireNonNull(text, "text");
            Objects.requireNonNull(expires, "expires");
        }

        /** Tells when it expires; the token is a secret. */
        @Override
        public String toString() {
            return "token that expires " + expires.map(Instant::toString).orElse("never");
        }
    }
}
