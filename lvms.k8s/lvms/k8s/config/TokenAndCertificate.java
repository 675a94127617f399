package lvms.k8s.config;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A token, sent on connections that present a certificate. */
record TokenAndCertificate(Credentials token, Credentials certificate) implements Credentials {
    /** Returns what of both there is. */
    static Credentials of(Credentials token, Credentials certificate) {
        if (token == ANONYMOUS) {
            return certificate;
        }
        return certificate == ANONYMOUS ? token : new TokenAndCertificate(token, certificate);
    }

    @Override
    public Optional<String> authorization(Duration limit) throws IOException, InterruptedException {
        return token.authorization(limit);
    }

    @Override
    public boolean refresh(Optional<String> refused, Duration limit)
            throws IOException, InterruptedException {
        return token.refresh(refused, limit);
    }

    @Override
    public Optional<CertifiedKey> identity() throws IOException {
        return certificate.identity();
    }

    @Override
    public Optional<String> identityProblem(Instant now) {
        return certificate.identityProblem(now);
    }

    @Override
    public int generation() {
        return certificate.generation();
    }

    @Override
    public void check() throws IOException {
        token.check();
        certificate.check();
    }

    @Override
    public long tokenFailures() {
        return token.tokenFailures();
    }

    @Override
    public long certificateFailures() {
        return certificate.certificateFailures();
    }

    /** Says nothing of either. */
    @Override
    public String toString() {
        return "token and certificate";
    }
}
