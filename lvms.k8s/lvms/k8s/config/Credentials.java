package lvms.k8s.config;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.util.Optional;

/** Who we are to the server. Any thread may use them. */
interface Credentials {
    /** No identity. */
    Credentials ANONYMOUS = Optional::empty;

    /** Returns the value of the {@code Authorization} header. */
    Optional<String> authorization() throws IOException;

    /**
     * Reacts to a 401.
     *
     * @param refused the header value that the server refused
     * @return whether the request is worth sending once more
     */
    default boolean refresh(Optional<String> refused) throws IOException {
        return false;
    }

    /** Returns the certificate to present to a server that asks for one. */
    default Optional<CertifiedKey> identity() throws IOException {
        return Optional.empty();
    }

    /** Returns a number that changes when connections with the old identity must end. */
    default int generation() {
        return 0;
    }

    /** Returns credentials with a constant header. */
    static Credentials header(String value) {
        return () -> Optional.of(value);
    }
}
