package lvms.k8s.config;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.util.Optional;

/** A token, sent on connections that present a certificate. */
record TokenAndCertificate(Credentials token, Credentials certificate) implements Credentials {
    @Override
    public Optional<String> authorization() throws IOException {
        return token.authorization();
    }

    @Override
    public boolean refresh(Optional<String> refused) throws IOException {
        return token.refresh(refused);
    }

    @Override
    public Optional<CertifiedKey> identity() throws IOException {
        return certificate.identity();
    }

    @Override
    public int generation() {
        return certificate.generation();
    }
}
