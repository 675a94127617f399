package lvms.k8s.testkit.tls;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
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
    public SSLContext serverContext() throws GeneralSecurityException, IOException {
        var password = new char[0];
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, password);
        store.setKeyEntry("server", key, password, chain.toArray(X509Certificate[]::new));
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
