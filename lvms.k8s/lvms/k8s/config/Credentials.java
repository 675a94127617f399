package lvms.k8s.config;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Who we are to the server. Any thread may use them. */
interface Credentials {
    /** No identity. */
    Credentials ANONYMOUS = _ -> Optional.empty();

    /**
     * Returns the value of the {@code Authorization} header.
     *
     * @param limit how long the caller can wait, where a program or another service is asked
     */
    Optional<String> authorization(Duration limit) throws IOException, InterruptedException;

    /**
     * Reacts to a 401.
     *
     * @param refused the header value that the server refused
     * @return whether the request is worth sending once more
     */
    default boolean refresh(Optional<String> refused, Duration limit)
            throws IOException, InterruptedException {
        return false;
    }

    /** Returns the certificate to present to a server that asks for one. */
    default Optional<CertifiedKey> identity() throws IOException {
        return Optional.empty();
    }

    /** Says that what is at hand has ended, or not begun; asks nobody for something else. */
    default Optional<String> identityProblem(Instant now) {
        return Optional.empty();
    }

    /** Returns a number that changes when connections with the old identity must end. */
    default int generation() {
        return 0;
    }

    /** Fails if files that they need cannot be read now; asks nobody else. */
    default void check() throws IOException {}

    /** Returns how often a token file could not be read again. */
    default long tokenFailures() {
        return 0;
    }

    /** Returns how often the files of a client certificate could not be read again. */
    default long certificateFailures() {
        return 0;
    }

    /** Returns credentials with a constant header. */
    static Credentials header(String value) {
        return _ -> Optional.of(value);
    }

    /**
     * Returns the header of a bearer token without the blanks around it. A message of {@code
     * java.net.http} about a bad header would hold the token.
     *
     * @throws IOException if the token cannot stand in a header, without the token
     */
    static String bearer(String token) throws IOException {
        var text = token.strip();
        if (text.isEmpty()) {
            throw new IOException("the token is empty");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IOException("the token has a blank, a line break, or a character above ~");
        }
        return "Bearer " + text;
    }
}
