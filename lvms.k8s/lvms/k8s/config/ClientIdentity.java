package lvms.k8s.config;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate chain and its private key.
 *
 * @param chain the certificates, our own first
 * @param key the key of the first certificate
 */
record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
    ClientIdentity {
        chain = List.copyOf(chain);
    }

    static ClientIdentity of(byte[] certificatePem, byte[] keyPem) throws GeneralSecurityException {
        return new ClientIdentity(Pem.certificates(certificatePem), Pem.privateKey(keyPem));
    }

    /** Names the first certificate only: the key is a secret. */
    @Override
    public String toString() {
        return chain.isEmpty() ? "no certificate" : chain.getFirst().getSubjectX500Principal() + "";
    }
}
