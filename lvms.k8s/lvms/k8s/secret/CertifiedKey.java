package lvms.k8s.secret;

import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate chain and its private key.
 *
 * @param chain the certificates, our own first
 * @param key the key of the first certificate
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {
    public CertifiedKey {
        chain = List.copyOf(chain);
    }

    public static CertifiedKey of(byte[] certificatePem, byte[] keyPem)
            throws GeneralSecurityException {
        return new CertifiedKey(Pem.certificates(certificatePem), Pem.privateKey(keyPem));
    }

    /**
     * Checks that the key is that of the first certificate.
     *
     * @throws GeneralSecurityException if it is another's
     */
    public void check() throws GeneralSecurityException {
        var message = chain.getFirst().getEncoded();
        var signature = Signature.getInstance(algorithm());
        signature.initSign(key);
        signature.update(message);
        var signed = signature.sign();
        signature.initVerify(chain.getFirst().getPublicKey());
        signature.update(message);
        if (!signature.verify(signed)) {
            throw new KeyException("the private key is not that of the certificate");
        }
    }

    private String algorithm() {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    /** Names the first certificate only: the key is a secret. */
    @Override
    public String toString() {
        return chain.isEmpty() ? "no certificate" : chain.getFirst().getSubjectX500Principal() + "";
    }
}
