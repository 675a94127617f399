package lvms.k8s.testkit.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/**
 * A certificate with its issuers, and its key.
 *
 * @param chain the certificate itself first
 * @param key on the curve P-256
 */
public record Credential(List<Certificate> chain, PrivateKey key) {
    public Credential {
        chain = List.copyOf(chain);
    }

    /** Reads what {@link #save} wrote. */
    public static Credential load(Path directory, String name)
            throws IOException, GeneralSecurityException {
        var keyText = Files.readString(directory.resolve(name + ".key"));
        var key =
                KeyFactory.getInstance("EC")
                        .generatePrivate(new PKCS8EncodedKeySpec(Pem.decode(keyText)));
        try (var in = Files.newInputStream(directory.resolve(name + ".crt"))) {
            var chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
            return new Credential(List.copyOf(chain), key);
        }
    }

    /** Writes {@code NAME.crt} and {@code NAME.key} into the directory. */
    public void save(Path directory, String name) throws IOException, GeneralSecurityException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".crt"), chainPem());
        Files.writeString(directory.resolve(name + ".key"), keyPem());
    }

    /** Returns the whole chain as PEM blocks. */
    public String chainPem() throws GeneralSecurityException {
        var text = new StringBuilder();
        for (var certificate : chain) {
            text.append(Pem.of("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    /** Returns the key as a PEM block of PKCS #8. */
    public String keyPem() {
        return Pem.of("PRIVATE KEY", key.getEncoded());
    }
}
