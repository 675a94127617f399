package lvms.k8s.testkit.tls;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** A certificate authority and one server certificate that it signed. */
public record Certificates(String caPem, List<X509Certificate> chain, PrivateKey key) {
    private static final Duration VALIDITY = Duration.ofDays(3650);

    /** Makes an authority and a certificate for the names and addresses given. */
    public static Certificates make(List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        var authority = Authority.make("lvms test API server CA", VALIDITY);
        var server = authority.server("kube-apiserver", names, addresses);
        return new Certificates(authority.pem(), server.chain(), server.key());
    }

    /** Reads what {@link #save} wrote. */
    public static Certificates load(Path directory) throws IOException, GeneralSecurityException {
        var server = CertifiedKey.load(directory, "server");
        var caPem = Files.readString(directory.resolve("ca.crt"));
        return new Certificates(caPem, server.chain(), server.key());
    }

    /** Writes {@code ca.crt}, {@code server.crt} and {@code server.key} into the directory. */
    public void save(Path directory) throws IOException, GeneralSecurityException {
        new CertifiedKey(chain, key).save(directory, "server");
        Files.writeString(directory.resolve("ca.crt"), caPem);
    }

    /** The TLS context of a server that shows this certificate. */
    public SSLContext serverContext() throws GeneralSecurityException {
        var own = Optional.of(new CertifiedKey(chain, key));
        var context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new CurrentKey(() -> own)}, null, null);
        return context;
    }
}
