package lvms.k8s.tls;

import lvms.k8s.secret.Pem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    /** Reads what {@link #save} wrote. */
    public static CertifiedKey load(Path folder, String name)
            throws IOException, GeneralSecurityException {
        return of(
                Files.readAllBytes(folder.resolve(name + ".crt")),
                Files.readAllBytes(folder.resolve(name + ".key")));
    }

    /** Writes {@code NAME.crt} and {@code NAME.key} into the folder. */
    public void save(Path folder, String name) throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name + ".crt"), chainPem());
        Files.writeString(folder.resolve(name + ".key"), keyPem());
    }

    /** Returns the whole chain as PEM blocks. */
    public String chainPem() throws GeneralSecurityException {
        var text = new StringBuilder();
        for (var certificate : chain) {
            text.append(Pem.text("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    /** Returns the key as a PEM block of PKCS #8. */
    public String keyPem() {
        return Pem.text("PRIVATE KEY", key.getEncoded());
    }

    /**
     * Checks that the key is that of the first certificate.
     *
     * @throws GeneralSecurityException if it is another's
     */
    public void check() throws GeneralSecurityException {
        var publicKey = chain.getFirst().getPublicKey();
        if (!publicKey.getAlgorithm().equals(key.getAlgorithm())) {
            throw new KeyException("the private key is not that of the certificate");
        }
        var message = chain.getFirst().getEncoded();
        var signature = Signature.getInstance(algorithm());
        signature.initSign(key);
        signature.update(message);
        var signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(message);
        if (!signature.verify(signed)) {
            throw new KeyException("the private key is not that of the certificate");
        }
    }

    /** Says that the certificate has ended, or has not begun; empty if it is valid now. */
    public Optional<String> problem(Instant now) {
        var own = chain.getFirst();
        if (now.isAfter(own.getNotAfter().toInstant())) {
            return Optional.of(
                    "the certificate " + this + " expired at " + own.getNotAfter().toInstant());
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            return Optional.of(
                    "the certificate "
                            + this
                            + " is not valid before "
                            + own.getNotBefore().toInstant());
        }
        return Optional.empty();
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
